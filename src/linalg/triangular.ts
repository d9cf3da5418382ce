import type { Engine, Matrix } from "../types.js";

/**
 * Y ← X·R⁻¹ for X n×p and R upper triangular without zeros on its diagonal.
 *
 * The product with R⁻¹ runs at twice the speed of substitution (LAPACK's dtrsm too) and is as good while R is well conditioned:
 * its residual is ε·‖R‖‖R⁻¹‖ instead of ε, so it is taken up to ‖R‖_F·‖R⁻¹‖_F = 8p (p is the least possible).
 */
export function rightDivider(E: Engine, p: number): (Y: Matrix, X: Matrix, R: Matrix) => void {
  const P = E.matrix(p, p);
  return (Y, X, R) => {
    invertTriangular(E, P, R);
    const size = Math.sqrt(E.dot(R, R));
    if (size * Math.sqrt(E.dot(P, P)) <= 8 * p) return E.mul(Y, X, P);
    E.copy(Y, X);
    divideInPlace(E, Y, R);
  };
}

/** P ← R⁻¹ for R upper triangular without zeros on its diagonal */
export function invertTriangular(E: Engine, P: Matrix, R: Matrix): void {
  E.fill(P, 0);
  E.addDiagonal(P, 1);
  divideInPlace(E, P, R);
}

/** Each row y ← y·R⁻¹ by substitution */
function divideInPlace(E: Engine, Y: Matrix, R: Matrix): void {
  if (E.lapack) {
    E.lapack.trsm(Y, R);
    return;
  }
  const y = Y.data;
  const r = R.data;
  const p = R.rows;
  const end = Y.rows * p;
  let i = 0;
  // two rows at a time, for one reading of R
  for (; i + p < end; i += 2 * p) {
    const k = i + p;
    for (let l = 0; l < p; l++) {
      if (y[i + l] === 0 && y[k + l] === 0) continue;
      const diagonal = r[l * p + l]!;
      const t = (y[i + l]! /= diagonal);
      const u = (y[k + l]! /= diagonal);
      for (let j = l + 1; j < p; j++) {
        const rj = r[l * p + j]!;
        y[i + j]! -= t * rj;
        y[k + j]! -= u * rj;
      }
    }
  }
  if (i === end) return;
  for (let l = 0; l < p; l++) {
    if (y[i + l] === 0) continue;
    const t = (y[i + l]! /= r[l * p + l]!);
    for (let j = l + 1; j < p; j++) y[i + j]! -= t * r[l * p + j]!;
  }
}
