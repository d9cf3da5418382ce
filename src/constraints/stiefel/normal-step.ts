import type { Engine, Tall } from "../../types.js";
import type { Constraint } from "../constraint.js";

/**
 * The normal step of SLPG and PenC: towards the manifold without a factorization of a tall matrix. With K = XᵀX − I
 *
 *     ‖K‖ < ½:   Y = A(X) = X·(I − ½K),        singular values σ ↦ σ(3 − σ²)/2,   YᵀY − I = (¼K − ¾I)·K²,
 *     else:      Y = 2X·(I + XᵀX)⁻¹,           singular values σ ↦ 2σ/(1 + σ²) ≤ 1.
 *
 * Returns ‖K‖ of the X it was given. Where that is at most `above` nothing is done, and Y is X.
 */
export function normalStep(
  E: Engine,
  p: number,
  { residual }: Pick<Constraint, "residual">,
): (Y: Tall, X: Tall, above?: number) => number {
  const [K, R, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  E.addDiagonal(I, 2);
  return (Y, X, above = 0) => {
    const violation = residual(K, X);
    if (!(violation > above) || !Number.isFinite(violation)) E.copy(Y, X);
    else if (violation < 0.5) {
      E.addDiagonal(K, -2);
      E.mul(Y, X, K, -0.5);
    } else {
      E.addDiagonal(K, 2);
      E.factor.solve(R, K, I);
      E.mul(Y, X, R);
    }
    return violation;
  };
}
