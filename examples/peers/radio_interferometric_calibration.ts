import { euclidean, minimize } from "expen";
import { type ComplexExpr, formula, H, mul, norm2, sub } from "expen/tape";
import { normals, product, transposed } from "./data.js";

// Jones matrices J of six stations, 2×2 each, from the visibilities J·Jᴴ
const [a, b] = [normals(12, 2, 1), normals(12, 2, 2)];
const plus = (A: number[][], B: number[][], sign: number) => A.map((row, i) => row.map((x, j) => x + sign * B[i]![j]!));
const V = {
  re: plus(product(a, transposed(a)), product(b, transposed(b)), 1),
  im: plus(product(b, transposed(a)), product(a, transposed(b)), -1),
};
const { status, fval } = await minimize(
  formula((J: ComplexExpr) => norm2(sub(V, mul(J, H(J))))),
  { on: euclidean(12, 2, { field: "complex" }), tol: 1e-6 },
);
console.log(status, fval < 1e-8);
