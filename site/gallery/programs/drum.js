// The lowest tones of a drum with the shape of an L, and how its skin moves: eigenvectors of the five-point Laplacian.
import { sparseFromTriplets } from "expen";
import { eigs } from "expen/eigen";
import { heat } from "../heat.js";
import { columnsOf } from "../rows.js";

const [size, middle] = [29, 14]; // points in each direction; the corner at the upper right is cut out
const isInside = (i, j) => i >= 0 && j >= 0 && i < size && j < size && !(i <= middle && j >= middle);
const places = Array.from({ length: size * size }, (_, k) => [Math.floor(k / size), k % size]).filter(([i, j]) =>
  isInside(i, j),
);
const number = new Map(places.map(([i, j], k) => [i * size + j, k]));
const stiffness = places.flatMap(([i, j], k) => {
  const around = [
    [i - 1, j],
    [i + 1, j],
    [i, j - 1],
    [i, j + 1],
  ].filter(([a, b]) => isInside(a, b));
  return [[k, k, 4], ...around.map(([a, b]) => [k, number.get(a * size + b), -1])];
});
const n = places.length;
const [rows, cols, entries] = [0, 1, 2].map((k) => stiffness.map((one) => one[k]));
const { values, vectors, certificate } = await eigs(sparseFromTriplets(n, n, rows, cols, entries), { p: 6 });

const modes = columnsOf(vectors).map((column) =>
  Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (isInside(i, j) ? column[number.get(i * size + j)] : Number.NaN)),
  ),
);
export const text = `tones over the lowest: ${Array.from(values, (v) => Math.sqrt(v / values[0]).toFixed(3)).join(", ")}; certificate: ${certificate.level}`;
// for arms of width 1: the third mode is sin πx · sin πy in each of the three squares, with eigenvalue near 2π²
export const answer = { values: Array.from(values, (v) => v * (middle + 1) ** 2), level: certificate.level };
export const picture = heat([modes[0], modes[1], modes[2], modes[5]], {
  title: "A drum of the shape of an L",
  names: ["first", "second", "third", "sixth"],
});
