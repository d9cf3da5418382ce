import { grassmann, minimize } from "expen";
import { add, formula, mul, rowSums, sqrt, square, sub, sum, t } from "expen/tape";
import { normals, product } from "./data.js";

const samples = [...product(normals(40, 2, 1), normals(2, 6, 2)), ...normals(10, 6, 3)];
const { status, certificate } = await minimize(
  formula((U) => sum(sqrt(add(rowSums(square(sub(samples, mul(samples, U, t(U))))), 1e-4)))),
  { on: grassmann(6, 2) },
);
console.log(status, certificate.level);
