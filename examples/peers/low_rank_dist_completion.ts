import { euclidean, minimize } from "expen";
import { formula, norm2, rowSums, rows, square, sub } from "expen/tape";
import { normals, pairs } from "./data.js";

const points = normals(30, 3);
const seen = pairs(30).filter((_, k) => k % 2 === 0);
const distances = seen.map(([i, j]) => [points[i]!.reduce((s, x, c) => s + (x - points[j]![c]!) ** 2, 0)]);
const between = seen.map(([i]) => i);
const and = seen.map(([, j]) => j);
const { status, fval } = await minimize(
  formula((Y) => norm2(sub(rowSums(square(sub(rows(Y, between), rows(Y, and)))), distances))),
  { on: euclidean(30, 3), tol: 1e-6 },
);
console.log(status, fval < 1e-8);
