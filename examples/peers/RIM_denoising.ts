import { atMost, equal, euclidean, minimize, nonnegative } from "expen";
import { add, colSums, cols, formula, neg, norm2, rowSums, rows, scale, smoothAbs, sub, sum } from "expen/tape";
import { normals } from "./data.js";

// total variation with bounds of row and column sums: two flat halves, seen with noise
const flat = Array.from({ length: 8 }, () => [1, 1, 1, 1, 3, 3, 3, 3]);
const A = normals(8, 8).map((r, i) => r.map((x, j) => flat[i]![j]! + 0.2 * x));
const distance = (B: number[][]) => Math.hypot(...B.flatMap((r, i) => r.map((x, j) => x - flat[i]![j]!)));
const lengths = (D: Parameters<typeof sum>[0]) => sum(smoothAbs(D, 1e-3));
const { status, violation, X } = await minimize(
  formula((X) => {
    const jumps = add(lengths(sub(cols(X, 1), cols(X, 0, -1))), lengths(sub(rows(X, 1), rows(X, 0, -1))));
    return add(scale(0.5, norm2(sub(X, A))), scale(0.2, jumps));
  }),
  {
    on: euclidean(8, 8),
    subjectTo: [
      nonnegative(),
      equal(formula((X) => rowSums(X)), 16), // biome-ignore format: short
      atMost(formula((X) => colSums(X)), 24), // biome-ignore format: short
      atMost(formula((X) => neg(colSums(X))), -7), // biome-ignore format: short
    ],
  },
);
const error = distance(Array.from({ length: 8 }, (_, i) => [...X.data.slice(8 * i, 8 * i + 8)]));
console.log(status, violation! < 1e-5, error < 0.5 * distance(A));
