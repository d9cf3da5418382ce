import { equal, euclidean, minimize } from "expen";
import { add, formula, hadamard, inner, rowSums, rows, scale, sqrt, square, sub, sum } from "expen/tape";
import { normals, pairs } from "./data.js";

// locations from directions of their differences: what is across them is small; centred, of given scale
const places = normals(8, 3);
const links = pairs(8);
const [from, to] = [links.map(([i]) => i), links.map(([, j]) => j)];
const directions = links.map(([i, j]) => {
  const d = places[i]!.map((x, c) => x - places[j]![c]!);
  return d.map((x) => x / Math.hypot(...d));
});
const differences = (T: Parameters<typeof rows>[0]) => sub(rows(T, from), rows(T, to));
const { status, violation, fval } = await minimize(
  formula((T) => {
    const D = differences(T);
    const across = sub(D, hadamard(rowSums(hadamard(D, directions)), directions));
    return sum(sqrt(add(rowSums(square(across)), 1e-6)));
  }),
  {
    on: euclidean(8, 3),
    subjectTo: [
      equal(
        formula((T) => scale(1 / 28, inner(differences(T), directions))),
        1,
      ),
      equal(
        formula((T) => sum(T)),
        0,
      ),
    ],
  },
);
console.log(status, violation! < 1e-5, fval < 0.04);
