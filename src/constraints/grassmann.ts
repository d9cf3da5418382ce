import type { Engine, Matrix } from "../types.js";
import type { Constraint } from "./constraint.js";
import { stiefelConstraint } from "./stiefel.js";

/**
 * Subspaces, for f that does not change under X → XQ: orthonormal columns stand for their span, methods run on the Stiefel manifold, where
 * sym(Xᵀ∇f) = Xᵀ∇f, and second order is looked at across the span alone, XᵀD = 0: along XΩ nothing ever changes.
 */
export function grassmannConstraint(E: Engine, n: number, p: number): Constraint {
  const M = E.small(p, p);
  return {
    ...stiefelConstraint(E, n, p),
    name: "grassmann",
    dimension: (n - p) * p,
    orthogonal: (X) => (Z: Matrix) => {
      E.tmul(M, X, Z);
      E.mul(Z, X, M, -1, 1);
    },
  };
}
