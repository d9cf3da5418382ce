import type { Engine, Tall } from "@expen/linalg";
import type { Dissolver } from "../contracts/dissolver.js";
import type { Point } from "../contracts/point.js";

/**
 * The normal step of SLPG and PenC: towards the manifold without a factorization of a tall matrix. With K = XᵀBX − I
 *
 *     ‖K‖ < ½:   Y = A(X) = X·(I − ½K),        singular values σ ↦ σ(3 − σ²)/2,   K(Y) = (¼K − ¾I)·K²,
 *     else:      Y = 2X·(2I + K)⁻¹,            singular values σ ↦ 2σ/(1 + σ²) ≤ 1.
 *
 * Returns ‖K‖ of the x it was given. Where that is at most `above`, Y is X.
 */
export function normalStep(
  E: Engine,
  p: number,
  dissolver: Pick<Dissolver, "K">,
): (Y: Tall, x: Point, above?: number) => number {
  const [K, R, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  E.addDiagonal(I, 2);
  return (Y, x, above = 0) => {
    const violation = dissolver.K(K, x);
    if (!(violation > above) || !Number.isFinite(violation)) E.copy(Y, x.X);
    else if (violation < 0.5) {
      E.addDiagonal(K, -2);
      E.mul(Y, x.X, K, -0.5);
    } else {
      E.addDiagonal(K, 2);
      E.factor.solve(R, K, I);
      E.mul(Y, x.X, R);
    }
    return violation;
  };
}
