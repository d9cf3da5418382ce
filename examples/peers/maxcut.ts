import { minimize, oblique } from "expen";
import { formula, mul, t, trace } from "expen/tape";
import { symmetric } from "./data.js";

const weights = symmetric(24).map((row, i) => row.map((a, j) => (i === j ? 0 : Math.abs(a))));
const { status, certificate } = await minimize(
  formula((Y) => trace(mul(Y, weights, t(Y)))),
  { on: oblique(8, 24) },
);
console.log(status, certificate.level);
