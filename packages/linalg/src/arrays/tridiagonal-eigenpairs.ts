/** Single eigenpairs of the leading m×m block of a symmetric tridiagonal T with diagonal d and off-diagonal e */
import { EPS, UNIT_ROUNDOFF } from "../rounding.js";

/** The k-th smallest eigenvalue, by bisection on Sturm counts to the last bit of the bracket */
export function tridiagonalEigenvalue(d: Float64Array, e: Float64Array, m: number, k: number): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < m; i++) {
    const radius = (i > 0 ? Math.abs(e[i - 1]!) : 0) + (i < m - 1 ? Math.abs(e[i]!) : 0);
    low = Math.min(low, d[i]! - radius);
    high = Math.max(high, d[i]! + radius);
  }
  const width = Math.max(Math.abs(low), Math.abs(high)) * UNIT_ROUNDOFF;
  low -= width;
  high += width;
  while (high - low > width) {
    const middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (eigenvaluesBelow(d, e, m, middle) > k) high = middle;
    else low = middle;
  }
  return 0.5 * (low + high);
}

/** The number of eigenvalues below x: the negative pivots of T − xI (Sylvester) */
export function eigenvaluesBelow(d: Float64Array, e: Float64Array, m: number, x: number): number {
  let count = 0;
  let pivot = 1;
  for (let i = 0; i < m; i++) {
    const b = i === 0 ? 0 : e[i - 1]!;
    pivot = nonzero(d[i]! - x - (b / pivot) * b, b); // b² might underflow
    if (pivot < 0) count++;
  }
  return count;
}

/** Replaces a zero pivot by a tiny positive one, which changes x by less than its rounding. */
function nonzero(pivot: number, b: number): number {
  return pivot === 0 ? Math.max(EPS * Math.abs(b), 2 ** -1022) : pivot;
}

/**
 * The eigenvector, ‖z‖ = 1, of an eigenvalue x that is accurate to rounding, by the twisted factorization of T − xI
 * with the smallest twist pivot: with the pivots a_i of the elimination from above and b_i of the one from
 * below,
 *
 *     γ_i = a_i + b_i − (d_i − x),   r = argmin |γ_i|,   z_r = 1,   z_{i−1} = −e_{i−1}z_i/a_{i−1},   z_{i+1} = −e_i z_i/b_{i+1},
 *
 * (T − xI)z = γ_r·e_r, and |γ_r| is at most m times the distance of x to the spectrum (Parlett and Dhillon, LAA 267, 1997).
 */
export function tridiagonalEigenvector(d: Float64Array, e: Float64Array, m: number, x: number): Float64Array {
  const [above, below, z] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  for (let i = 0; i < m; i++) {
    const b = i === 0 ? 0 : e[i - 1]!;
    above[i] = nonzero(d[i]! - x - (i === 0 ? 0 : (b / above[i - 1]!) * b), b);
  }
  for (let i = m - 1; i >= 0; i--) {
    const b = i === m - 1 ? 0 : e[i]!;
    below[i] = nonzero(d[i]! - x - (i === m - 1 ? 0 : (b / below[i + 1]!) * b), b);
  }
  const gamma = (i: number): number => Math.abs(above[i]! + below[i]! - (d[i]! - x));
  let r = 0;
  for (let i = 1; i < m; i++) if (gamma(i) < gamma(r)) r = i;
  z[r] = 1;
  for (let i = r; i > 0; i--) z[i - 1] = (-e[i - 1]! * z[i]!) / above[i - 1]!;
  for (let i = r; i < m - 1; i++) z[i + 1] = (-e[i]! * z[i]!) / below[i + 1]!;
  const length = Math.hypot(...z);
  return z.map((v) => v / length);
}
