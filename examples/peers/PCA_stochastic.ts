import { minimize, stiefel } from "expen";
import { formula, mul, norm2, scale } from "expen/tape";
import { normals } from "./data.js";

const samples = normals(500, 12).map((row) => row.map((x, j) => x / (j + 1)));
const { status, certificate } = await minimize(
  formula((X) => scale(-0.5 / 500, norm2(mul(samples, X)))),
  { on: stiefel(12, 3) },
);
console.log(status, certificate.level);
