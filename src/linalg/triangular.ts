import type { Engine, Matrix } from "../types.js";

/**
 * Y ← X·R⁻¹ for X n×p and R upper triangular without zeros on its diagonal. Y may be X where the engine has LAPACK only.
 *
 * Without LAPACK the product with R⁻¹ is faster than substitution and as good while R is well conditioned:
 * its residual is ε·‖R‖‖R⁻¹‖ instead of ε, so it is taken up to ‖R‖_F·‖R⁻¹‖_F = 8p (p is the least possible).
 */
export function rightDivider(E: Engine, p: number): (Y: Matrix, X: Matrix, R: Matrix) => void {
  const { lapack } = E;
  if (lapack) {
    return (Y, X, R) => {
      if (Y !== X) E.copy(Y, X);
      if (X.rows > 0 && p > 0) lapack.trsm(Y, R);
    };
  }
  const P = E.matrix(p, p);
  return (Y, X, R) => {
    invert(P.data, R.data, p);
    if (Math.sqrt(E.dot(R, R)) * Math.sqrt(E.dot(P, P)) <= 8 * p) return E.mul(Y, X, P);
    E.copy(Y, X);
    substitute(Y.data, R.data, Y.rows, p);
  };
}

/** P ← R⁻¹ by rows from the last: P_kj = −(Σ_{k<l≤j} R_kl·P_lj)/R_kk */
function invert(P: Float64Array, r: Float64Array, p: number): void {
  P.fill(0);
  for (let k = p - 1; k >= 0; k--) {
    const w = 1 / r[k * p + k]!;
    for (let l = k + 1; l < p; l++) {
      const t = -w * r[k * p + l]!;
      for (let j = l; j < p; j++) P[k * p + j]! += t * P[l * p + j]!;
    }
    P[k * p + k] = w;
  }
}

/** Each row y ← y·R⁻¹ */
function substitute(y: Float64Array, r: Float64Array, n: number, p: number): void {
  for (let i = 0; i < n * p; i += p) {
    for (let l = 0; l < p; l++) {
      const t = (y[i + l]! /= r[l * p + l]!);
      for (let j = l + 1; j < p; j++) y[i + j]! -= t * r[l * p + j]!;
    }
  }
}
