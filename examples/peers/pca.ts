import { minimize, stiefel } from "expen";
import { formula, mul, norm2, sub, t } from "expen/tape";
import { normals } from "./data.js";

const samples = normals(100, 8).map((row) => row.map((x, j) => x / (j + 1)));
const { status, certificate } = await minimize(
  formula((W) => norm2(sub(samples, mul(samples, W, t(W))))),
  { on: stiefel(8, 2), certificate: "second-order" },
);
console.log(status, certificate.level);
