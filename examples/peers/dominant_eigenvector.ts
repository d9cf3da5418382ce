import { minimize, sphere } from "expen";
import { formula, mul, neg, t } from "expen/tape";
import { symmetric } from "./data.js";

const A = symmetric(30);
const { status, certificate } = await minimize(
  formula((x) => neg(mul(t(x), A, x))),
  { on: sphere(30) },
);
console.log(status, certificate.level);
