import { euclidean, minimize } from "expen";
import { formula, mul, norm2, sub, t } from "expen/tape";
import { normals, product, transposed } from "./data.js";

const Y0 = normals(15, 3);
const A = product(Y0, transposed(Y0));
const { status, fval } = await minimize(
  formula((Y) => norm2(sub(mul(Y, t(Y)), A))),
  { on: euclidean(15, 3), tol: 1e-6 },
);
console.log(status, fval < 1e-8);
