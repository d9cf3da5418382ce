import { grassmann, minimize } from "expen";
import { type ComplexExpr, formula, H, mul, neg, re, trace } from "expen/tape";
import { normals, symmetric } from "./data.js";

const skew = normals(20, 20, 2);
const A = { re: symmetric(20), im: skew.map((row, i) => row.map((a, j) => a - skew[j]![i]!)) };
const { status, certificate } = await minimize(
  formula((Z: ComplexExpr) => neg(re(trace(mul(H(Z), A, Z))))),
  { on: grassmann(20, 3, { field: "complex" }), certificate: "second-order" },
);
console.log(status, certificate.level);
