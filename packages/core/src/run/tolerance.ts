/** The gradient norm that a run is to reach, as numbers that are known at its first state. */

import type { State } from "../contracts/method.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";

export interface Tolerance {
  /** `tol`; 0 if only `relTol` was given, Infinity on a manifold of dimension 0; undefined: the default */
  readonly absolute: number | undefined;
  /** `relTol` times the gradient norm at the start */
  readonly relative: number;
  /** the gradient norm at a random point, if it is next to 0 at the start: a typical gradient of f */
  readonly elsewhere: number;
  /** 4ε‖∇f‖: the roundoff in a gradient that is zero */
  readonly floor: number;
}

/** The tolerance of the user; by default 1e-6, and 1e-6 of the largest gradient where that is smaller */
export function requestedNorm({ absolute, relative, elsewhere }: Tolerance, s: State): number {
  return Math.max(absolute ?? DEFAULT_TOLERANCE * Math.min(1, Math.max(s.gnormMax, elsewhere)), relative);
}

/** The same, not below roundoff */
export const reachableNorm = (t: Tolerance, s: State): number => Math.max(requestedNorm(t, s), t.floor);
