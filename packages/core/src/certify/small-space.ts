import type { Allowed } from "./budget.js";

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
}

/**
 * Is the space small enough for a product with each of its dimensions? Besides, they take the projections and reflections of a basis, and
 * 4N³/3 flops for the eigenvalues. `flops`: of a product as the engine counted it; 0, where f does not use the engine, counts as a dense
 * product.
 */
export function isSmall({ n, p, m, N }: Space, flops: number, { evaluations, depth }: Allowed): boolean {
  const basis = 8 * m * m * p + 6 * (m - N) * m * m + 8 * N * (m - N) * m;
  const all = basis + (4 / 3) * N ** 3;
  if (N <= evaluations) return all <= FREE_FLOPS;
  const isFew = flops > 0 || N <= UNSEEN * evaluations;
  const products = N * (flops > 0 ? flops : 2 * n * n * p);
  return depth === "thorough" && isFew && products + all <= FREE_FLOPS;
}
