/** The gradient norm that a run is to reach, as numbers that are known at its first state. */

import { measurer } from "../certify/measure.js";
import type { State } from "../contracts/method.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";
import type { Run, Tolerance } from "./run.js";
import { randomPoint } from "./start.js";

/** The tolerance of a run, at its first state. Costs an evaluation at a random point where the start has next to no gradient. */
export function toleranceAt({ E, F, on, o, term, bound, ruler, X, seed }: Run, first: State): Tolerance {
  // dimension 0: every feasible point is stationary
  if (on.dimension === 0) return { absolute: Number.POSITIVE_INFINITY, relative: 0, elsewhere: 0, floor: 0 };
  const { tol, relTol } = o;
  // a solver that knows the form of f may not have evaluated a gradient
  if (Number.isNaN(F.firstNorm)) ruler.measure(X);
  let elsewhere = 0;
  if (first.gnormMax <= DEFAULT_TOLERANCE && tol === undefined) {
    const { stationarity } = measurer(E, F, term, on).measure(randomPoint(bound, seed + 1));
    if (Number.isFinite(stationarity)) elsewhere = stationarity;
  }
  return {
    absolute: tol ?? (relTol === undefined ? undefined : 0),
    relative: (relTol ?? 0) * first.gnorm,
    elsewhere,
    floor: 4 * 2 ** -52 * Math.max(F.firstNorm, elsewhere),
  };
}

/** The tolerance of the user; by default 1e-6, and 1e-6 of the largest gradient where that is smaller */
export function requestedNorm({ absolute, relative, elsewhere }: Tolerance, s: State): number {
  return Math.max(absolute ?? DEFAULT_TOLERANCE * Math.min(1, Math.max(s.gnormMax, elsewhere)), relative);
}

/** The same, not below roundoff */
export const reachableNorm = (t: Tolerance, s: State): number => Math.max(requestedNorm(t, s), t.floor);
