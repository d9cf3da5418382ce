import { unitScale } from "./scale.js";

/**
 * A = Q·R for A n×p, n ≥ p, with finite entries: Q, written over a, with orthonormal columns, R (p×p) upper triangular with a diagonal ≥ 0,
 * by Householder reflections (Golub and Van Loan, Matrix Computations, 5.2). Backward stable for every A; if A is rank-deficient,
 * Q is completed by arbitrary orthonormal columns.
 *
 * The columns are first scaled by powers of two to about 1: Q does not change, and no square overflows or underflows.
 */
export function householder(q: Float64Array, r: Float64Array, n: number, p: number): void {
  const c = scaleColumns(q, n, p);
  const tau = new Float64Array(p);
  reflect(q, tau, n, p);
  r.fill(0);
  for (let k = 0; k < p; k++) for (let j = k; j < p; j++) r[k * p + j] = q[k * p + j]!;
  accumulate(q, tau, n, p);
  for (let k = 0; k < p; k++) {
    const sign = r[k * p + k]! < 0 ? -1 : 1;
    for (let j = k; j < p; j++) r[k * p + j]! *= sign / c[j]!;
    if (sign < 0) for (let i = k; i < n * p; i += p) q[i] = -q[i]!;
  }
}

/** Column j ← c_j·column j with max |c_j·A_ij| in [1, 2); returns c */
function scaleColumns(q: Float64Array, n: number, p: number): Float64Array {
  const c = new Float64Array(p);
  for (let i = 0; i < n * p; i += p) for (let j = 0; j < p; j++) c[j] = Math.max(c[j]!, Math.abs(q[i + j]!));
  for (let j = 0; j < p; j++) c[j] = unitScale(c[j]!);
  for (let i = 0; i < n * p; i += p) for (let j = 0; j < p; j++) q[i + j]! *= c[j]!;
  return c;
}

/** H_k = I − τ_k·v·vᵀ with v_k = 1 sends column k to a multiple of e_k; v stays below the diagonal. */
function reflect(q: Float64Array, tau: Float64Array, n: number, p: number): void {
  const w = new Float64Array(p);
  for (let k = 0; k < p; k++) {
    const top = k * p + k;
    let tail = 0;
    for (let i = top + p; i < n * p; i += p) tail += q[i]! * q[i]!;
    if (tail < 1e-290) {
      // below 1e−145 of the column it counts as zero, since its square has underflowed
      for (let i = top + p; i < n * p; i += p) q[i] = 0;
      continue;
    }
    const alpha = q[top]!;
    const beta = alpha > 0 ? -Math.sqrt(alpha * alpha + tail) : Math.sqrt(alpha * alpha + tail);
    tau[k] = (beta - alpha) / beta;
    for (let i = top + p; i < n * p; i += p) q[i]! /= alpha - beta;
    q[top] = beta;
    applyReflector(q, w, tau[k]!, k, n, p);
  }
}

/** Q ← H_0·…·H_{p−1}·[I; 0] by backward accumulation, over the vectors v */
function accumulate(q: Float64Array, tau: Float64Array, n: number, p: number): void {
  const w = new Float64Array(p);
  for (let k = p - 1; k >= 0; k--) {
    for (let j = k + 1; j < p; j++) q[k * p + j] = 0;
    if (tau[k] !== 0) applyReflector(q, w, tau[k]!, k, n, p);
    for (let i = (k + 1) * p + k; i < n * p; i += p) q[i]! *= -tau[k]!;
    q[k * p + k] = 1 - tau[k]!;
  }
}

/** The columns right of k, rows from k on: q ← q − τ·v·(vᵀq) */
function applyReflector(q: Float64Array, w: Float64Array, tau: number, k: number, n: number, p: number): void {
  for (let j = k + 1; j < p; j++) w[j] = q[k * p + j]!;
  for (let i = (k + 1) * p; i < n * p; i += p) {
    const v = q[i + k]!;
    for (let j = k + 1; j < p; j++) w[j]! += v * q[i + j]!;
  }
  for (let j = k + 1; j < p; j++) {
    w[j]! *= tau;
    q[k * p + j]! -= w[j]!;
  }
  for (let i = (k + 1) * p; i < n * p; i += p) {
    const v = q[i + k]!;
    for (let j = k + 1; j < p; j++) q[i + j]! -= v * w[j]!;
  }
}
