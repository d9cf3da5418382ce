import type { TrialRay } from "../../src/solvers/ray.js";
import type { Engine } from "../../src/types.js";
import { normal } from "../functions.js";

/** First steps of a search, and steps of a trial point: the first, others near it, one so far away that it is computed afresh, and no first step. */
export const firstAndTrial: [number, number][] = [
  [Number.NaN, 1e-3],
  [Number.NaN, -0.7],
  [1e-3, 1e-3],
  [0.4, 0.4],
  [0.4, -0.7],
  [0.4, 1.3],
  [1.3, 0.4],
  [1e-3, 0.9],
];

/** D ← a random direction of norm 1 along which h descends */
export function descent(E: Engine, ray: TrialRay, seed: number): void {
  const D = normal(E, ray.X.rows, ray.X.cols, seed);
  const slope = E.dot(ray.G, D);
  E.axpby(ray.D, -Math.sign(slope) / Math.sqrt(E.dot(D, D)), D, 0);
  ray.slope0 = E.dot(ray.G, ray.D);
}
