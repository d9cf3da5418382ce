import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";

/**
 * Y ← X·R⁻¹ for X n×p and R upper triangular without zeros on its diagonal.
 *
 * The product with R⁻¹ is twice as fast as substitution (LAPACK's dtrsm too) and as accurate while R is well conditioned:
 * its residual is ε·‖R‖‖R⁻¹‖ instead of ε, so it is used up to ‖R‖_F·‖R⁻¹‖_F = 8p (the minimum is p).
 */
export function rightDivider(E: Engine, p: number): <M extends Tall | Small>(Y: M, X: M, R: Small) => void {
  const P = E.small(p, p);
  return (Y, X, R) => {
    invertTriangular(E, P, R);
    const size = Math.sqrt(E.dot(R, R));
    if (size * Math.sqrt(E.dot(P, P)) <= 8 * p) return E.mul(Y, X, P);
    E.copy(Y, X);
    E.factor.divide(Y, R);
  };
}

/** P ← R⁻¹ for R upper triangular without zeros on its diagonal */
export function invertTriangular(E: Engine, P: Small, R: Small): void {
  E.fill(P, 0);
  E.addDiagonal(P, 1);
  E.factor.divide(P, R);
}
