import { grassmann, minimize } from "expen";
import { formula, mul, neg, t, trace } from "expen/tape";
import { symmetric } from "./data.js";

const A = symmetric(40);
const { status, certificate } = await minimize(
  formula((X) => neg(trace(mul(t(X), A, X)))),
  { on: grassmann(40, 3) },
);
console.log(status, certificate.level);
