/** P·A = L·U with partial pivoting, in place, on row-major n×n arrays [Golub and Van Loan, Matrix Computations, 3.4]. */

const EPS = 2 ** -52;

/**
 * Returns the sign of the permutation, or 0 if A is singular to working precision: a pivot below n·ε times the largest entry of its
 * column of L and U. A bad number anywhere ends as NaN in the factors.
 */
export function luFactor(a: Float64Array, n: number, pivots: Int32Array): -1 | 0 | 1 {
  let sign: -1 | 1 = 1;
  for (let k = 0; k < n; k++) {
    let size = 0;
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(a[i * n + k]!));
    let r = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]!) > Math.abs(a[r * n + k]!)) r = i;
    pivots[k] = r;
    if (r !== k) {
      sign = sign === 1 ? -1 : 1;
      for (let j = 0; j < n; j++) {
        const held = a[k * n + j]!;
        a[k * n + j] = a[r * n + j]!;
        a[r * n + j] = held;
      }
    }
    const pivot = a[k * n + k]!;
    if (Math.abs(pivot) <= n * EPS * size) return 0;
    for (let i = k + 1; i < n; i++) {
      const l = (a[i * n + k]! /= pivot);
      if (l !== 0) for (let j = k + 1; j < n; j++) a[i * n + j]! -= l * a[k * n + j]!;
    }
  }
  return sign;
}

/** X ← A⁻¹ from the factors: L·U·X = P, row by row */
export function luInverse(x: Float64Array, lu: Float64Array, n: number, pivots: Int32Array): void {
  x.fill(0);
  for (let i = 0; i < n; i++) x[i * n + i] = 1;
  for (let k = 0; k < n; k++) {
    const r = pivots[k]!;
    if (r === k) continue;
    for (let j = 0; j < n; j++) {
      const held = x[k * n + j]!;
      x[k * n + j] = x[r * n + j]!;
      x[r * n + j] = held;
    }
  }
  for (let i = 1; i < n; i++) {
    for (let k = 0; k < i; k++) {
      const l = lu[i * n + k]!;
      if (l !== 0) for (let j = 0; j < n; j++) x[i * n + j]! -= l * x[k * n + j]!;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) {
      const u = lu[i * n + k]!;
      if (u !== 0) for (let j = 0; j < n; j++) x[i * n + j]! -= u * x[k * n + j]!;
    }
    const u = lu[i * n + i]!;
    for (let j = 0; j < n; j++) x[i * n + j]! /= u;
  }
}

export function luLogDeterminant(lu: Float64Array, n: number, sign: -1 | 0 | 1): number {
  if (sign === 0) return Number.NEGATIVE_INFINITY;
  let s: number = sign;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const u = lu[i * n + i]!;
    s *= Math.sign(u);
    sum += Math.log(Math.abs(u));
  }
  return s > 0 ? sum : Number.NaN;
}
