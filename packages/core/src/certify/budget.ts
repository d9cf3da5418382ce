/** The number of Hessian products of a certificate, from the bound that they give and their cost in flops, never from a clock. */
import { excludingLog } from "./lanczos-bound.js";

/** Part of the run's evaluations that the certificate of the default takes */
const SHARE = 1 / 4;
/** Evaluations that it may take however short the run: after fewer steps Lanczos' method sees only the steepest saddles. */
const LEAST_BRIEF = 8;
/** The bound λmin ≥ −SLIGHT·scale makes a point second-order. */
export const SLIGHT = 0.1;
/** Dimension up to which a brief certificate takes all products: about as many as Lanczos' method needs. */
const FEW = 30;
/** Flops of a thorough certificate: some ten milliseconds on one core in plain code */
const FREE_FLOPS = 5e7;
/** Multiple of the usual evaluations for an f without operations of the engine, which may be slow */
const UNSEEN = 4;

/** A tangent space of dimension N, of n×p matrices of m numbers */
export interface Space {
  readonly n: number;
  readonly p: number;
  readonly m: number;
  readonly N: number;
}

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

/** Steps after which Lanczos' method ends whatever it has shown, in multiples of those asked */
const MOST = 2;

/**
 * A product for each dimension, with the projections and reflections of a basis and 4N³/3 flops for the eigenvalues, or the most steps of
 * Lanczos' method. `flops`: of a product as the engine counted it; 0, where f does not use the engine, counts as a dense product.
 */
export function planProducts(
  { n, p, m, N }: Space,
  flops: number,
  { evaluations, depth }: Allowed,
): { whole: boolean; steps: number } {
  const product = flops > 0 ? flops : 2 * n * n * p;
  const basis = 8 * m * m * p + 6 * (m - N) * m * m + 8 * N * (m - N) * m;
  const all = basis + (4 / 3) * N ** 3;
  const within = (count: number, of: number): boolean => count <= evaluations && of <= FREE_FLOPS;
  const steps = Math.max(1, Math.min(evaluations, depth === "strict" ? N : MOST * stepsAsked(N)));
  if (depth === "strict") return { whole: within(N, all), steps };
  if (depth === "brief") return { whole: N <= FEW && within(N, all), steps };
  const isFew = flops > 0 || N <= UNSEEN * evaluations;
  const whole = within(N, all) || (isFew && N * product + all <= FREE_FLOPS);
  return { whole, steps: MOST * stepsAsked(N) };
}
