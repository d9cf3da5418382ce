import type { Engine, Small } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Constraint, Quotient } from "../contracts/constraint.js";
import { stiefelConstraint } from "./stiefel.js";

/**
 * Subspaces, for f that does not change under X → XQ: orthonormal columns stand for their span, methods run on the Stiefel manifold, where
 * sym(Xᵀ∇f) = Xᵀ∇f, and second order is looked at across the span alone, XᵀD = 0: along XΩ nothing ever changes. Where f does change, the
 * run says so and takes the Stiefel manifold.
 */
export function grassmannConstraint(E: Engine, n: number, p: number): Constraint {
  const stiefel = stiefelConstraint(E, n, p);
  // subspaces are one connected set
  const { reflections: _, ...traits } = stiefel.traits;
  return {
    ...stiefel,
    name: "grassmann",
    dimension: (n - p) * p,
    traits: {
      ...traits,
      quotient: {
        text: "under X → XQ",
        turn: (Y, X) => E.mul(Y, X, randomRotation(E, p)),
        across: acrossSpan(E, p),
        without: stiefel,
      },
    },
  };
}

/** Z ← Z − X·XᵀZ: along XΩ nothing changes */
export function acrossSpan(E: Engine, p: number): Quotient["across"] {
  const M = E.small(p, p);
  return (Z, { X }) => {
    E.tmul(M, X, Z);
    E.mul(Z, X, M, -1, 1);
  };
}

/** (I − Ω)⁻¹(I + Ω) with a seeded random Ω = −Ωᵀ; −1 for p = 1 */
export function randomRotation(E: Engine, p: number): Small {
  const [N, S, A, Q] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  E.write(N, random(1, "rotation").normal);
  E.copy(S, N);
  E.symmetrize(S);
  E.combine(N, 1, N, -1, S);
  E.combine(A, -1, N, 0, N);
  E.addDiagonal(A, 1);
  E.addDiagonal(N, 1);
  E.factor.solve(Q, A, N);
  if (p === 1) E.combine(Q, -1, Q, 0, Q);
  return Q;
}
