import { minimize, oblique } from "expen";
import { formula, mul, t, trace } from "expen/tape";
import { symmetric } from "./data.js";

// X = YᵀY with ones on its diagonal
const A = symmetric(30);
const { status, certificate } = await minimize(
  formula((Y) => trace(mul(Y, A, t(Y)))),
  { on: oblique(8, 30), certificate: "second-order" },
);
console.log(status, certificate.level);
