import { minimize, stiefel } from "expen";
import { add, formula, mul, norm2, scale, smoothAbs, sum } from "expen/tape";
import { normals } from "./data.js";

const samples = normals(60, 10);
const { status, certificate } = await minimize(
  formula((X) => add(scale(-0.5 / 60, norm2(mul(samples, X))), scale(0.2, sum(smoothAbs(X, 1e-3))))),
  { on: stiefel(10, 2), tol: 1e-4 },
);
console.log(status, certificate.level);
