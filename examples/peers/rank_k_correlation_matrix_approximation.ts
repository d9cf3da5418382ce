import { minimize, oblique } from "expen";
import { formula, mul, norm2, scale, sub, t } from "expen/tape";
import { definite } from "./data.js";

const A = definite(12);
const { status, certificate } = await minimize(
  formula((X) => scale(0.25, norm2(sub(mul(t(X), X), A)))),
  { on: oblique(3, 12) },
);
console.log(status, certificate.level);
