// Twelve charges on a sphere come to rest at the corners of an icosahedron. Change n; drag to look from elsewhere.
import { minimize, oblique } from "expen";
import { rowsOf } from "../rows.js";
import { space } from "../space.js";

const n = 12;
// the energy Σ 1/‖x_i − x_j‖ over pairs of columns, and its gradient, in plain loops
const fg = ({ data: G }, { data: X }) => {
  let energy = 0;
  G.fill(0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = [0, 1, 2].map((k) => X[k * n + i] - X[k * n + j]);
      const r = Math.hypot(...d);
      energy += 1 / r;
      for (let k = 0; k < 3; k++) {
        G[k * n + i] -= d[k] / r ** 3;
        G[k * n + j] += d[k] / r ** 3;
      }
    }
  }
  return energy;
};
const { X, fval, certificate } = await minimize({ fg }, { on: oblique(3, n), seed: 1 });

const rows = rowsOf(X);
const points = Array.from({ length: n }, (_, i) => rows.map((row) => row[i]));
const distance = (i, j) => Math.hypot(...points[i].map((v, k) => v - points[j][k]));
const nearest = points.map((_, i) => Math.min(...points.map((_, j) => (i === j ? 2 : distance(i, j)))));
const pairs = points
  .flatMap((_, i) => points.map((_, j) => [i, j]))
  .filter(([i, j]) => i < j && distance(i, j) < 1.25 * nearest[i]);
export const text = `energy ${fval.toFixed(9)}, ${pairs.length} edges; certificate: ${certificate.level}`;
export const answer = { fval, edges: pairs.length, level: certificate.level };
export const picture = space(points, { title: `${n} charges on a sphere`, joined: pairs, radius: 7 });
