import { minimize, oblique } from "expen";
import { type ComplexExpr, formula, H, mul, re, trace } from "expen/tape";
import { normals, symmetric } from "./data.js";

const skew = normals(20, 20, 2);
const A = { re: symmetric(20), im: skew.map((row, i) => row.map((a, j) => a - skew[j]![i]!)) };
const { status, certificate } = await minimize(
  formula((Y: ComplexExpr) => re(trace(mul(Y, A, H(Y))))),
  { on: oblique(5, 20, { field: "complex" }), certificate: "second-order" },
);
console.log(status, certificate.level);
