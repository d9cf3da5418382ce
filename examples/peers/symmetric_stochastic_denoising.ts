import { equal, euclidean, minimize, nonnegative } from "expen";
import { formula, norm2, rowSums, scale, sub, t } from "expen/tape";
import { symmetric } from "./data.js";

const A = symmetric(8).map((row) => row.map((x) => 1 / 8 + 0.1 * x));
const { status, violation, X } = await minimize(
  formula((X) => scale(0.5, norm2(sub(X, A)))),
  {
    on: euclidean(8, 8),
    subjectTo: [nonnegative(), equal(formula((X) => rowSums(X)), 1), equal(formula((X) => sub(X, t(X))), 0)], // biome-ignore format: short
  },
);
const skew = Math.max(...X.data.map((x, k) => x - X.data[8 * (k % 8) + Math.floor(k / 8)]!));
console.log(status, violation! < 1e-5, skew < 1e-5);
