import { equal, euclidean, minimize, nonnegative } from "expen";
import { colSums, formula, norm2, rowSums, scale, sub } from "expen/tape";
import { normals } from "./data.js";

const A = normals(8, 8).map((row) => row.map((x) => 1 / 8 + 0.1 * x));
const sums = [
  equal(
    formula((X) => rowSums(X)),
    1,
  ),
  equal(
    formula((X) => colSums(X)),
    1,
  ),
];
const { status, violation } = await minimize(
  formula((X) => scale(0.5, norm2(sub(X, A)))),
  { on: euclidean(8, 8), subjectTo: [nonnegative(), ...sums] },
);
console.log(status, violation! < 1e-5);
