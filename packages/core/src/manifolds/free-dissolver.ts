import type { Engine, Small } from "@expen/linalg";
import type { Dissolver } from "../contracts/dissolver.js";

/** No constraint: K = 0, A is the identity, every vector is tangent. Small matrices are set to zero. */
export function freeDissolver(E: Engine): Dissolver {
  const zero = (S: Small): number => {
    E.fill(S, 0);
    return 0;
  };
  return {
    K: zero,
    S(S, _x, _G, M) {
      zero(S);
      if (M) zero(M);
    },
    normal() {},
    A(Y, { X }, K) {
      E.copy(Y, X);
      return zero(K);
    },
    jacobian(J, D, _x, _K, V) {
      E.copy(J, D.X);
      zero(V);
    },
    adjoint: (H, G) => E.copy(H, G),
    adjointAlong: (H, _G, _x, _K, _C, { dG }) => E.copy(H, dG),
    tangent(_Z, _x, S) {
      if (S) zero(S);
    },
    shift() {},
    hessian() {},
    direction: (J, _x, D) => E.copy(J, D.X),
    eigenvalues: (S) => new Float64Array(S.rows),
  };
}
