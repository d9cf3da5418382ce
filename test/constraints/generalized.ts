/** XᵀBX = I with a diagonal B, written for one test: a constraint of another form than XᵀX = I fits the seam. */
import type { Constraint } from "../../src/constraints/constraint.js";
import { stiefelConstraint } from "../../src/constraints/stiefel.js";
import { inverseRoot } from "../../src/linalg/inverse-root.js";
import type { Engine, Tall } from "../../src/types.js";

/** `b`: the diagonal of B, n×1 */
export function generalizedStiefel(E: Engine, n: number, p: number, b: Tall): Constraint {
  const [BX, K, S, R] = [E.tall(n, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const root = inverseRoot(E, p);
  /** Y ← X·(XᵀBX)^(−1/2), the nearest feasible point in the norm of B */
  const polar = (Y: Tall, X: Tall): number => {
    on.residual(K, X);
    E.addDiagonal(K, 1);
    if (!root(R, K)) throw new RangeError("generalizedStiefel: X is too far from feasible points.");
    E.mul(Y, X, R);
    return p;
  };
  const on: Constraint = {
    // what does not depend on B: the multiplier, and A made of K
    ...stiefelConstraint(E, n, p),
    name: "generalized stiefel",
    residual(K, X) {
      E.scaleRows(BX, b, X);
      E.tmul(K, X, BX);
      E.symmetrize(K);
      E.addDiagonal(K, -1);
      return Math.sqrt(E.dot(K, K));
    },
    violation: (X) => on.residual(K, X),
    normal(Z, X, C, a = 1) {
      E.scaleRows(BX, b, X);
      E.mul(Z, BX, C, a, 1);
    },
    tangent(Z, X, kept = S) {
      on.multiplier(kept, X, Z);
      on.normal(Z, X, kept, -1);
    },
    hessian(H, D, X, S) {
      on.normal(H, D, S, -1);
      on.tangent(H, X);
    },
    dissolve(Y, X, K) {
      const violation = on.residual(K, X);
      E.copy(Y, X);
      E.mul(Y, X, K, -0.5, 1);
      return violation;
    },
    push(J, D, X, K, V) {
      E.scaleRows(BX, b, D);
      on.multiplier(V, X, BX);
      E.copy(J, D);
      E.mul(J, D, K, -0.5, 1);
      E.mul(J, X, V, -1, 1);
    },
    pullback(H, G, X, K, C) {
      E.copy(H, G);
      E.mul(H, G, K, -0.5, 1);
      on.normal(H, X, C);
    },
    pullbackAlong(H, G, X, K, C, { D, V, dG, dC }) {
      on.pullback(H, dG, X, K, dC);
      E.mul(H, G, V, -1, 1);
      on.normal(H, D, C);
    },
    restorer: () => polar,
    projector: () => polar,
    random(X, r) {
      const Z = E.tall(n, p);
      E.write(Z, r.normal);
      polar(X, Z);
    },
  };
  return on;
}
