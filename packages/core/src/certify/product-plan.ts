/** The number of Hessian products of a certificate, from the bound that they give and their cost in flops, never from a clock. */

/** The bound λmin ≥ −ASKED·scale makes a point second-order. */
export const TARGET = 0.1;
/** Probability of an unlucky random start, for which the bound is false */
export const FAILURE = 1e-6;
/** Steps after which the bound is looked at before the last one; multiples of five, where `lanczos` asks whether it is enough */
export const EARLY: readonly number[] = [20, 25, 35];
/** Looks at the bound, among which the probability of failure is shared */
const LOOKS = EARLY.length + 1;
/** Dimension up to which all products are always taken: about as many as Lanczos' method needs. */
const FEW = 30;
/** Flops that second order may take beyond the usual budget: some ten milliseconds on one core in plain code */
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

export interface Allowed {
  /** Hessian products and gradients */
  readonly evaluations: number;
  /** the limit was set by the user: it is kept, and may be used up */
  readonly strict: boolean;
  /** all products where they cost little, and no early end */
  readonly thorough?: boolean;
  /** Lanczos steps of a strict limit; left out: as many as show −ASKED·scale */
  readonly steps?: number | undefined;
  /** evaluations of the certificate so far */
  readonly spent: number;
}

/**
 * Kuczyński and Woźniakowski (SIAM J. Matrix Anal. Appl. 13, 1992, Theorem 4.2): after k steps from a start that is uniform on the
 * sphere of an N-dimensional space, λmin ≤ ξmin ≤ λmin + ε·(λmax − λmin), and the same at the other end, fail with a probability of at
 * most 1.648√N·exp(−√ε(2k − 1)) each. This is the ε for which both hold with probability 1 − FAILURE/LOOKS, so that a method that looks
 * LOOKS times, and ends where the bound suffices, fails with a probability of at most FAILURE.
 */
export const deviation = (steps: number, N: number): number => (likelihood(N) / (2 * steps - 1)) ** 2;
const likelihood = (N: number): number => Math.log((2 * 1.648 * Math.sqrt(N) * LOOKS) / FAILURE);

/** The steps that show −ASKED·scale for any spectrum: ε·w ≤ ASKED·scale for w ≤ 2·scale/(1 − 2ε) */
function stepsAsked(N: number): number {
  const epsilon = TARGET / (2 + 2 * TARGET);
  return Math.ceil((likelihood(N) / Math.sqrt(epsilon) + 1) / 2);
}

/** The fewest products that show −ASKED·scale: those of Lanczos, or all */
export const productsAsked = ({ N }: Space): number => Math.min(stepsAsked(N), N);

/**
 * A product for each dimension if these are few, or if the user asks for more and they cost little, with the projections and reflections of
 * a basis and 4N³/3 flops for the eigenvalues; otherwise the most steps of Lanczos' method. `flops`: of a product as the engine counted it;
 * 0, where f does not use the engine, counts as a dense product.
 */
export function planProducts(
  { n, p, m, N }: Space,
  flops: number,
  { evaluations, strict, thorough = false, steps }: Allowed,
): { whole: boolean; steps: number } {
  const product = flops > 0 ? flops : 2 * n * n * p;
  const most = flops > 0 ? Number.POSITIVE_INFINITY : UNSEEN * evaluations;
  const isFree = (count: number, others: number): boolean =>
    !strict && count <= most && count * product + others <= FREE_FLOPS;
  const basis = 8 * m * m * p + 6 * (m - N) * m * m + 8 * N * (m - N) * m;
  const all = basis + (4 / 3) * N ** 3;
  const isCheap = (N <= evaluations && all <= FREE_FLOPS) || isFree(N, all);
  const isBrief = !strict && !thorough;
  if (isBrief ? isCheap && N <= FEW : isCheap) return { whole: true, steps: N };
  // in floating point Lanczos' method may need more steps than N
  const requested = isBrief ? (steps ?? stepsAsked(N)) : Math.min(N, steps ?? stepsAsked(N));
  const granted = requested <= evaluations || isFree(requested, 0) ? requested : Math.min(requested, evaluations);
  return { whole: false, steps: Math.max(1, granted) };
}
