/** The number of Hessian products of a certificate, from the run before it and the bound that they give, never from a clock. */
import type { Lowest } from "@expen/linalg/dense";
import type { RunBefore } from "../contracts/certificate.js";
import { chanceLog, FAILURE, MOST_FAILURE } from "./lanczos-bound.js";

/** Part of the run's evaluations that the certificate of the default may take, and the evaluations that it may take in any case */
const [SHARE, LEAST] = [1 / 4, 7];
/** The same after which the probability MOST_FAILURE of a miss is enough, and Lanczos' method may end without a bound */
const [EASY_SHARE, FEWEST] = [1 / 10, 4];
/** A smallest Ritz value whose residual reaches further than this below 0, relative to the scale, leads there as often as not. */
const SIGHT = 0.002;
/** How much faster than in its last step log|π_k| grows in those to come, as Ritz values come nearer to the ends */
const FASTER = 1.25;
/** The bound λmin ≥ −SLIGHT·scale makes a point second-order. */
export const SLIGHT = 0.1;
/** Steps after which Lanczos' method ends whatever it has shown, in multiples of those asked */
const MOST = 2;

/** Gradients and Hessian products, and what they are for */
export interface Allowed {
  readonly evaluations: number;
  /**
   * "brief": as few as show −SLIGHT·scale, within `evaluations` and what the run allows; "thorough": all curvatures where these cost
   * little, otherwise as many steps as that bound takes; "strict": `evaluations`, the limit of the user, which may be used up
   */
  readonly depth: "brief" | "thorough" | "strict";
  /** evaluations of the certificate so far */
  readonly spent: number;
  /** absent where nothing but `evaluations` limits it */
  readonly run?: RunBefore | undefined;
}

/**
 * Steps of Lanczos' method that show −SLIGHT·scale of a spectrum between 0 and scale with probability 1 − failure: its polynomial grows at
 * least as Chebyshev's, T_k(1 + 2·SLIGHT), divided by √(k + 1) < 8.
 */
export const stepsAsked = (N: number, failure: number = FAILURE): number =>
  Math.min(N, Math.ceil((chanceLog(N, failure) + Math.log(16)) / Math.acosh(1 + 2 * SLIGHT)));

/** The most steps */
export function most(N: number, allowed: Allowed): number {
  const { depth } = allowed;
  if (depth === "thorough") return MOST * stepsAsked(N);
  return Math.max(1, Math.min(limitOf(allowed), depth === "strict" ? N : MOST * stepsAsked(N)));
}

/** Evaluations, as far as the run before allows them */
export const limitOf = ({ evaluations, run }: Allowed): number =>
  run ? Math.min(evaluations, Math.max(LEAST, Math.ceil(SHARE * run.evaluations) - run.certificates)) : evaluations;

/**
 * Has Lanczos' method shown enough? `log` is log|π_k(−SLIGHT·scale)|, to be given after each step with the Ritz values. After a run it
 * also ends where no negative curvature is in sight and the bound will not come within the limit.
 */
export function whetherEnough(N: number, allowed: Allowed): (ends: Lowest, log: number, error: number) => boolean {
  const { run } = allowed;
  const limit = limitOf(allowed);
  const easy = run ? Math.max(FEWEST, EASY_SHARE * run.evaluations) : Number.POSITIVE_INFINITY;
  const least = chanceLog(N, MOST_FAILURE);
  let before = 0;
  return ({ steps, value, residual, scale }, log, error) => {
    const growth = FASTER * (log - before);
    before = log;
    const failure = steps < easy ? FAILURE : MOST_FAILURE;
    const isPositive = value > residual + error || steps >= stepsAsked(N, failure);
    if (isPositive && log >= chanceLog(N, failure)) return true;
    const isInSight = value - residual < -SIGHT * scale;
    return steps >= easy && !isInSight && steps + (least - log) / growth > limit;
  };
}
