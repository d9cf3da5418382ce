import { generalizedStiefel, minimize } from "expen";
import { asMatrix } from "expen/data";
import { formula, mul, neg, t, trace } from "expen/tape";
import { definite, symmetric } from "./data.js";

const [A, B] = [symmetric(30), asMatrix(definite(30)).matrix];
const { status, certificate } = await minimize(
  formula((X) => neg(trace(mul(t(X), A, X)))),
  { on: generalizedStiefel(B, 3) },
);
console.log(status, certificate.level);
