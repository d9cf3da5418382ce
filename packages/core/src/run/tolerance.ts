/** The gradient norm that a run is to reach, as numbers that are known once its first state is there. */

import type { State } from "../contracts/objective.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";

export interface Tolerance {
  /** `tol`; 0 where only `relTol` was given, Infinity where no feasible point has a direction; undefined: the default */
  readonly absolute: number | undefined;
  /** `relTol` times the gradient norm at the start */
  readonly relative: number;
  /** the gradient norm at a random point, where the start has next to none: what a gradient of f is like */
  readonly elsewhere: number;
  /** 4ε of ‖∇f‖: what rounding leaves of a gradient that is zero */
  readonly floor: number;
}

/** What was asked for; by default 1e-6, and 1e-6 of the largest gradient where that is smaller */
export function askedOf({ absolute, relative, elsewhere }: Tolerance, s: State): number {
  return Math.max(absolute ?? DEFAULT_TOLERANCE * Math.min(1, Math.max(s.gnormMax, elsewhere)), relative);
}

/** What is to be reached: not less than rounding lets it */
export const boundOf = (t: Tolerance, s: State): number => Math.max(askedOf(t, s), t.floor);

interface Asked {
  tol?: number | undefined;
  relTol?: number | undefined;
}

/** `norm`: of ∇f at the start; `gradientElsewhere`: of the Riemannian gradient at a random point, which costs an evaluation */
export function toleranceOf(
  { tol, relTol }: Asked,
  first: State,
  { dimension, norm, gradientElsewhere }: { dimension: number; norm: number; gradientElsewhere: () => number },
): Tolerance {
  // no directions: what there is of a gradient is rounding
  if (dimension === 0) return { absolute: Number.POSITIVE_INFINITY, relative: 0, elsewhere: 0, floor: 0 };
  const elsewhere = first.gnormMax <= DEFAULT_TOLERANCE && tol === undefined ? gradientElsewhere() : 0;
  return {
    absolute: tol ?? (relTol === undefined ? undefined : 0),
    relative: (relTol ?? 0) * first.gnorm,
    elsewhere,
    floor: 4 * 2 ** -52 * Math.max(norm, elsewhere),
  };
}
