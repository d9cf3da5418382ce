import { grassmann, minimize, product } from "expen";
import { formula, mul, norm2, scale, t } from "expen/tape";
import { normals } from "./data.js";

const A = normals(30, 20);
const { status, certificate } = await minimize(
  formula(({ U, V }) => scale(-0.5, norm2(mul(t(U), A, V)))),
  { on: product({ U: grassmann(30, 3), V: grassmann(20, 3) }), certificate: "second-order" },
);
console.log(status, certificate.level);
