import { minimize } from "expen";
import { fixedRank } from "expen/manifolds";
import { formula, hadamard, mul, norm2, rowSums, rows, sub } from "expen/tape";
import { normals, product } from "./data.js";

const A = product(normals(40, 2, 1), normals(2, 30, 2));
const seen = A.flatMap((row, i) => row.map((_, j) => [i, j] as const)).filter((_, k) => (k * k) % 5 < 2);
const [is, js] = [seen.map(([i]) => i), seen.map(([, j]) => j)];
const values = seen.map(([i, j]) => [A[i]![j]!]);
const { status, fval } = await minimize(
  formula(({ U, S, V }) => norm2(sub(rowSums(hadamard(rows(mul(U, S), is), rows(V, js))), values))),
  { on: fixedRank(40, 30, 2), tol: 1e-6 },
);
console.log(status, fval < 1e-8);
