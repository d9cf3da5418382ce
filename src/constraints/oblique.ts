import type { Engine, Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";
import { stiefelConstraint } from "./stiefel.js";
import { projector } from "./ways-back.js";

/**
 * Columns of length 1, a product of p spheres: the formulas of the Stiefel manifold on an engine whose small matrices are diagonal
 * (engines/algebras/diagonal.ts). K, S and their like have p numbers, and X(XᵀX)^(−1/2) divides columns by their lengths.
 */
export function obliqueConstraint(E: Engine, n: number, p: number): Constraint {
  const stiefel = stiefelConstraint(E, n, p);
  const on: Constraint = {
    ...stiefel,
    name: "oblique",
    dimension: n * p - p,
    orthonormal: false,
    frame: "columns",
    eigenvalues: (S) => entries(E, S).sort(),
    spread(S) {
      const w = on.eigenvalues(S);
      return w[p - 1]! - w[0]!;
    },
    restorer: divider,
    projector: divider,
    random(X, r) {
      const Z = E.tall(n, p);
      E.write(Z, r.normal);
      divider()(X, Z);
    },
  };
  return on;

  /** Y ← X with columns divided by their lengths; returns how many are not zero, for which others take their place */
  function divider(): (Y: Tall, X: Tall) => number {
    const [S, R, K] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    const general = projector(E, stiefel);
    return (Y, X) => {
      E.gram(S, X);
      if (!E.factor.cholesky(R, S)) return general(Y, X);
      E.copy(Y, X);
      E.factor.divide(Y, R);
      // squares of tiny columns underflow
      return on.residual(K, Y) <= 1e-8 ? p : general(Y, X);
    };
  }
}

function entries(E: Engine, S: Small): Float64Array {
  const [V, w] = [E.small(S.rows, S.cols), new Float64Array(S.rows)];
  E.factor.eigh(V, w, S);
  return w;
}
