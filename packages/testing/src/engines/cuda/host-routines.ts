/** The routines of cuBLAS and cuSOLVER that the engine calls, in plain loops, columns first: entry (i, j) is a[i + j·lda]. */
import { jacobiSvd, qlSolver } from "@expen/linalg/arrays";

export function dgemm(
  [turnA, turnB, m, n, k]: readonly number[],
  alpha: number,
  a: Float64Array,
  lda: number,
  b: Float64Array,
  ldb: number,
  beta: number,
  c: Float64Array,
  ldc: number,
): void {
  if (lda < (turnA ? k! : m!) || ldb < (turnB ? n! : k!) || ldc < m!)
    throw new Error("a leading dimension is too small");
  for (let j = 0; j < n!; j++) {
    for (let i = 0; i < m!; i++) {
      let s = 0;
      for (let l = 0; l < k!; l++) s += a[turnA ? l + i * lda : i + l * lda]! * b[turnB ? j + l * ldb : l + j * ldb]!;
      c[i + j * ldc] = beta === 0 ? alpha * s : alpha * s + beta * c[i + j * ldc]!;
    }
  }
}

/** B ← A⁻¹·B, A lower triangular */
export function dtrsm(m: number, n: number, a: Float64Array, lda: number, b: Float64Array, ldb: number): void {
  if (lda < m || ldb < m) throw new Error("a leading dimension is too small");
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < m; i++) {
      let s = b[i + j * ldb]!;
      for (let l = 0; l < i; l++) s -= a[i + l * lda]! * b[l + j * ldb]!;
      b[i + j * ldb] = s / a[i + i * lda]!;
    }
  }
}

/** The lower triangle of A ← L with A = L·Lᵀ; returns the place of the first pivot that is not positive, from 1, or 0 */
export function dpotrf(n: number, a: Float64Array): number {
  for (let j = 0; j < n; j++) {
    let d = a[j + j * n]!;
    for (let l = 0; l < j; l++) d -= a[j + l * n]! ** 2;
    if (d <= 0) return j + 1;
    a[j + j * n] = Math.sqrt(d);
    for (let i = j + 1; i < n; i++) {
      let s = a[i + j * n]!;
      for (let l = 0; l < j; l++) s -= a[i + l * n]! * a[j + l * n]!;
      a[i + j * n] = s / a[j + j * n]!;
    }
  }
  return 0;
}

/** A ← its eigenvectors as columns, w ascending */
export function dsyevd(n: number, a: Float64Array, w: Float64Array): void {
  const v = new Float64Array(n * n);
  qlSolver(n)(v, w, a.slice(0, n * n), 1);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[i + j * n] = v[i * n + j]!;
}

/** A = U·Diag(s)·Vᵀ, m ≥ n */
export function dgesvd(
  m: number,
  n: number,
  a: Float64Array,
  s: Float64Array,
  u: Float64Array,
  vt: Float64Array,
): void {
  if (m < n) throw new Error("dgesvd: m < n");
  const [rows, left, right] = [new Float64Array(m * n), new Float64Array(m * n), new Float64Array(n * n)];
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) rows[i * n + j] = a[i + j * m]!;
  jacobiSvd(m, n)(left, s, right, rows);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) u[i + j * m] = left[i * n + j]!;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) vt[i + j * n] = right[j * n + i]!;
}

/** A ← its LU factors with partial pivoting; pivots count from 1 */
export function dgetrf(n: number, a: Float64Array, pivots: Int32Array): number {
  let info = 0;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i + k * n]!) > Math.abs(a[best + k * n]!)) best = i;
    pivots[k] = best + 1;
    if (a[best + k * n] === 0) {
      info ||= k + 1;
      continue;
    }
    for (let j = 0; j < n; j++) [a[k + j * n], a[best + j * n]] = [a[best + j * n]!, a[k + j * n]!];
    for (let i = k + 1; i < n; i++) {
      a[i + k * n]! /= a[k + k * n]!;
      for (let j = k + 1; j < n; j++) a[i + j * n]! -= a[i + k * n]! * a[k + j * n]!;
    }
  }
  return info;
}

export function dgetrs(n: number, q: number, a: Float64Array, pivots: Int32Array, b: Float64Array): void {
  for (let j = 0; j < q; j++) {
    const x = b.subarray(j * n, j * n + n);
    for (let k = 0; k < n; k++) [x[k], x[pivots[k]! - 1]] = [x[pivots[k]! - 1]!, x[k]!];
    for (let i = 0; i < n; i++) for (let l = 0; l < i; l++) x[i]! -= a[i + l * n]! * x[l]!;
    for (let i = n - 1; i >= 0; i--) {
      for (let l = i + 1; l < n; l++) x[i]! -= a[i + l * n]! * x[l]!;
      x[i]! /= a[i + i * n]!;
    }
  }
}
