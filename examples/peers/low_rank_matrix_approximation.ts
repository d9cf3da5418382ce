import { minimize } from "expen";
import { fixedRank } from "expen/manifolds";
import { formula, mul, norm2, scale, sub, t } from "expen/tape";
import { normals } from "./data.js";

const A = normals(12, 9);
const { status, certificate } = await minimize(
  formula(({ U, S, V }) => scale(0.5, norm2(sub(mul(U, S, t(V)), A)))),
  { on: fixedRank(12, 9, 3), certificate: "second-order" },
);
console.log(status, certificate.level);
