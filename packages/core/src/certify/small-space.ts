import { type Allowed, limitOf } from "./budget.js";

/** Dimension up to which a brief certificate takes all products: about as many as Lanczos' method needs. */
export const FEW = 30;
/** Flops of a thorough certificate: some ten milliseconds on one core in plain code */
const FREE_FLOPS = 5e7;
/** Multiple of the usual evaluations for an f without operations of the engine, which may be slow */
const UNSEEN = 4;

/** A tangent space of dimension N, of n×p matrices of m numbers */
interface Space {
  readonly n: number;
  readonly p: number;
  readonly m: number;
  readonly N: number;
  /** one product, to know its flops as the engine counts them; 0, where f does not use the engine, counts as a dense product */
  measure(): number;
}

/**
 * Is the space small enough for a product with each of its dimensions, after `measure`? It also takes the projections and reflections
 * of a basis, and 4N³/3 flops for the eigenvalues.
 */
export function isSmall({ n, p, m, N, measure }: Space, allowed: Allowed): boolean {
  const evaluations = limitOf(allowed);
  const basis = 8 * m * m * p + 6 * (m - N) * m * m + 8 * N * (m - N) * m;
  const all = basis + (4 / 3) * N ** 3;
  if (all > FREE_FLOPS || (N >= evaluations && allowed.depth !== "thorough")) return false;
  const flops = measure();
  if (N < evaluations) return true;
  const isFew = flops > 0 || N <= UNSEEN * evaluations;
  const products = N * (flops > 0 ? flops : 2 * n * n * p);
  return isFew && products + all <= FREE_FLOPS;
}
