import type { Engine, Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";

/** No constraint: K = 0 everywhere, A is the identity, all directions are tangent. Small matrices stay zero. */
export function euclideanConstraint(E: Engine, n: number, p: number): Constraint {
  const copy = (Y: Tall, X: Tall): void => E.copy(Y, X);
  const zero = (S: Small): number => {
    E.fill(S, 0);
    return 0;
  };
  return {
    name: "euclidean",
    n,
    p,
    dimension: n * p,
    radius: Math.sqrt(n * p),
    reach: Number.POSITIVE_INFINITY,
    orthonormal: false,
    frame: "free",
    residual: (K) => zero(K),
    violation: () => 0,
    multiplier(S, _X, _G, M) {
      zero(S);
      if (M) zero(M);
    },
    normal() {},
    tangent(_Z, _X, S) {
      if (S) zero(S);
    },
    hessian() {},
    eigenvalues: () => new Float64Array(p),
    spread: () => 0,
    dissolve(Y, X, K) {
      copy(Y, X);
      return zero(K);
    },
    push(J, D, _X, _K, V) {
      copy(J, D);
      zero(V);
    },
    pullback: (H, G) => copy(H, G),
    pullbackAlong: (H, _G, _X, _K, _C, { dG }) => copy(H, dG),
    restorer: () => copy,
    approacher: () => (Y, X) => {
      copy(Y, X);
      return 0;
    },
    projector: () => (Y, X) => {
      copy(Y, X);
      return p;
    },
    random: (X, r) => E.write(X, r.normal),
  };
}
