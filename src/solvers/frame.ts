import { stiefelConstraint } from "../constraints/stiefel.js";
import { inverseRoot } from "../linalg/inverse-root.js";
import type { Engine, Small, Tall } from "../types.js";

/**
 * A tangent vector at X in the frame of X: D = X·Ω + Z with Ω skew and XᵀZ = 0, kept as the pair (Z, Ω). The pair is what moves from
 * point to point: vectors of different points are added as they are, and nothing is transported.
 */
export interface Tangent {
  /** n×p */
  readonly Z: Tall;
  /** p×p, skew */
  readonly O: Small;
}

/** ‖WᵀW − I‖ from which the dissolving map is applied a last time: it leaves ¾ of its square. */
const DISSOLVED = 1e-5;

export interface Frame {
  tangent(): Tangent;
  inner(A: Tangent, B: Tangent): number;
  /** A ← a·A + b·B */
  add(A: Tangent, a: number, B: Tangent, b: number): void;
  /** g.Z holds G = ∇f(X). With N = XᵀG: S ← sym N, the multiplier; g ← (G − XN, skew N), the Riemannian gradient. */
  gradient(g: Tangent, S: Small, X: Tall): void;
  /** Y ← the polar factor of X + tD = X(I + tΩ) + tZ; false where it has none */
  retract(Y: Tall, X: Tall, t: number, D: Tangent): boolean;
}

export function frame(E: Engine, n: number, p: number): Frame {
  const [W, K, R] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
  const on = stiefelConstraint(E, n, p);
  const root = inverseRoot(E, p, DISSOLVED);
  return {
    tangent: () => ({ Z: E.tall(n, p), O: E.small(p, p) }),
    inner: (A, B) => E.dot(A.Z, B.Z) + E.dot(A.O, B.O),
    add(A, a, B, b) {
      E.combine(A.Z, b, B.Z, a, A.Z);
      E.combine(A.O, b, B.O, a, A.O);
    },
    gradient({ Z, O }, S, X) {
      on.multiplier(S, X, Z, K);
      on.normal(Z, X, K, -1);
      E.combine(O, 1, K, -1, S);
    },
    retract(Y, X, t, { Z, O }) {
      E.combine(K, t, O, 0, O);
      E.addDiagonal(K, 1);
      E.mul(W, X, K);
      E.combine(W, t, Z, 1, W);
      E.gram(K, W);
      if (!root(R, K)) return false;
      E.mul(Y, W, R);
      return true;
    },
  };
}
