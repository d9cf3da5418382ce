/** The number of Hessian products of a certificate, from the bound that they give, never from a clock. */
import { excludingLog } from "./lanczos-bound.js";

/** Part of the run's evaluations that the certificate of the default takes */
const SHARE = 1 / 4;
/** Evaluations that it may take however short the run: after fewer steps Lanczos' method sees only the steepest saddles. */
const LEAST_BRIEF = 8;
/** The bound λmin ≥ −SLIGHT·scale makes a point second-order. */
export const SLIGHT = 0.1;
/** Steps after which Lanczos' method ends whatever it has shown, in multiples of those asked */
const MOST = 2;

/** Gradients and Hessian products, and what they are for */
export interface Allowed {
  readonly evaluations: number;
  /**
   * "brief": as few as show −SLIGHT·scale, within `evaluations`; "thorough": all curvatures where these cost little, otherwise as many
   * steps as that bound takes; "strict": `evaluations`, the limit of the user, which may be used up
   */
  readonly depth: "brief" | "thorough" | "strict";
  /** evaluations of the certificate so far */
  readonly spent: number;
}

/** The evaluations of a brief certificate after a run of so many; `before`: those of certificates before it. */
export const briefBudget = (evaluations: number, before = 0): number =>
  Math.max(LEAST_BRIEF, Math.ceil(SHARE * evaluations) - before);

/**
 * Steps of Lanczos' method after which −SLIGHT·scale is shown of a spectrum between 0 and scale: its polynomial grows at least as
 * Chebyshev's, T_k(1 + 2·SLIGHT), divided by √(k + 1) < 8.
 */
export const stepsAsked = (N: number): number =>
  Math.min(N, Math.ceil((excludingLog(N) + Math.log(16)) / Math.acosh(1 + 2 * SLIGHT)));

/** The most steps */
export function most(N: number, { evaluations, depth }: Allowed): number {
  if (depth === "thorough") return MOST * stepsAsked(N);
  return Math.max(1, Math.min(evaluations, depth === "strict" ? N : MOST * stepsAsked(N)));
}
