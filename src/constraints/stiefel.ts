import { eigenvalues } from "../linalg/eigh.js";
import { type ApproximatePolar, approximatePolar, polar } from "../linalg/polar.js";
import { orthonormalizer } from "../linalg/qr.js";
import { extremeEigenvalues, spectralSpread } from "../linalg/symmetric-eigenvalues.js";
import type { Engine, Small } from "../types.js";
import type { Constraint } from "./constraint.js";
import { determinantReflection } from "./reflections.js";
import { normalStep } from "./stiefel/normal-step.js";
import { DISSOLVED } from "./ways-back.js";

/**
 * Orthonormal columns, the Stiefel manifold with the metric of ℝⁿˣᵖ:
 *
 *     K(X) = XᵀX − I,   A(X) = X(I − ½K),   K(A(X)) = (¼K − ¾I)K²,   P_X(Z) = Z − X·sym(XᵀZ).
 *
 * `restore` iterates A by small matrices and one tall product (linalg/polar.ts). Holds 3 small matrices.
 */
export function stiefelConstraint(E: Engine, n: number, p: number): Constraint {
  const [N, S, T] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  let spread: ((S: Small) => number) | undefined;
  let scratch: ApproximatePolar | undefined;
  /** one for all who restore and project */
  const nearby = (): ApproximatePolar => (scratch ??= approximatePolar(E, n, p));
  const on: Constraint = {
    name: "stiefel",
    n,
    p,
    dimension: n * p - (p * (p + 1)) / 2,
    radius: Math.sqrt(p),
    reach: Math.sqrt(p),
    orthonormal: true,
    frame: "basis",
    reflections: n === p ? [determinantReflection(E, p)] : undefined,
    residual(K, X) {
      E.gram(K, X);
      E.addDiagonal(K, -1);
      return Math.sqrt(E.dot(K, K));
    },
    violation: (X) => on.residual(N, X),

    multiplier(S, X, G, M) {
      E.tmul(M ?? S, X, G);
      if (M) E.copy(S, M);
      E.symmetrize(S);
    },
    normal: (Z, X, C, a = 1) => E.mul(Z, X, C, a, 1),
    tangent(Z, X, kept = S) {
      on.multiplier(kept, X, Z);
      on.normal(Z, X, kept, -1);
    },
    hessian(H, D, X, S) {
      on.normal(H, D, S, -1);
      on.tangent(H, X);
    },

    eigenvalues: (S) =>
      E.factor.library ? eigenvalues(E, S) : extremeEigenvalues({ rows: p, cols: p, data: E.read(S) }, p, 0).smallest,
    spread(S) {
      spread ??= spectralSpread(p, E);
      return spread(S);
    },

    dissolve(Y, X, K) {
      const violation = on.residual(K, X);
      factor(K);
      E.mul(Y, X, T);
      return violation;
    },
    push(J, D, X, K, V) {
      on.multiplier(V, X, D);
      factor(K);
      E.mul(J, D, T);
      E.mul(J, X, V, -1, 1);
    },
    pullback(H, G, X, K, C) {
      factor(K);
      E.mul(H, G, T);
      on.normal(H, X, C);
    },
    pullbackAlong(H, G, X, K, C, { D, V, dG, dC }) {
      on.pullback(H, dG, X, K, dC);
      E.mul(H, G, V, -1, 1);
      on.normal(H, D, C);
    },

    restorer(tolerance = DISSOLVED) {
      const polarTo = nearby();
      return (Y, X) => void polarTo(Y, X, tolerance);
    },
    approacher: () => normalStep(E, p, on),
    projector: () => polar(E, n, p, nearby()),
    random(X, r) {
      const Z = E.tall(n, p);
      E.write(Z, r.normal);
      orthonormalizer(E, n, p, Z)(X, Z);
    },
  };
  return on;

  /** T ← I − ½K */
  function factor(K: Small): void {
    E.combine(T, -0.5, K, 0, K);
    E.addDiagonal(T, 1);
  }
}
