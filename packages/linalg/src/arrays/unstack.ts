import type { Matrix } from "../contracts/matrix.js";
import { requireNoMore } from "../options.js";

/**
 * The k matrices that a stacked one is made of, as views of its numbers: of an answer, or of a point and a gradient in host memory.
 *
 *     const rotations = unstack(result.X, 10_000);
 */
export function unstack(X: Matrix, k: number, ...more: never[]): Matrix[] {
  requireNoMore("unstack(X, k)", more);
  const { rows, cols, data } = X;
  if (!(Number.isInteger(k) && k > 0 && rows % k === 0))
    throw new RangeError(`unstack: X has ${rows} rows, which are not ${k} matrices of one size.`);
  const n = rows / k;
  const size = n * cols;
  return Array.from({ length: k }, (_, i) => ({ rows: n, cols, data: data.subarray(i * size, (i + 1) * size) }));
}
