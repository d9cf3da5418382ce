import type { Engine, Tall } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";

/**
 * Z ↦ its orthogonal projection to the directions that count at a feasible x. For B = I these are the tangent space, for B ≠ I the space of
 * the gradients 𝒥ᵀ(G), for a quotient by X → XQ the part across the span, XᵀD = 0: along XΩ nothing changes.
 */
export function tangentProjector(E: Engine, on: Constraint, x: Point): (Z: Tall) => void {
  const { metric, quotient, parts } = on.traits;
  if (parts) {
    const [xs, bxs] = [parts.of(x.X), parts.of(x.BX)];
    const projectors = parts.list.map(({ E, on }, i) => tangentProjector(E, on, { X: xs[i]!, BX: bxs[i]! }));
    return (Z) => {
      for (const [i, z] of parts.of(Z).entries()) projectors[i]!(z);
    };
  }
  const { p } = on.shape;
  if (metric) return symmetricPartRemover(E, p, x.X);
  if (!quotient) return (Z) => on.dissolver.tangent(Z, x);
  const M = E.small(p, p);
  return (Z) => {
    E.tmul(M, x.X, Z);
    E.mul(Z, x.X, M, -1, 1);
  };
}

/**
 * Z ← Z − X·C with Φ(XᵀZ) = 0 afterwards: the orthogonal projection to the space of the gradients 𝒥ᵀ(G). C solves
 * MC + CM = 2·Φ(XᵀZ), M = XᵀX, entry by entry in the eigenvectors of M.
 */
function symmetricPartRemover(E: Engine, p: number, X: Tall): (Z: Tall) => void {
  const [M, V, T, U, weights] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const m = new Float64Array(p);
  E.gram(M, X);
  E.factor.eigh(V, m, M);
  E.write(
    weights,
    Float64Array.from({ length: p * p }, (_, k) => 2 / (m[Math.floor(k / p)]! + m[k % p]!)),
  );
  return (Z) => {
    E.tmul(T, X, Z);
    E.symmetrize(T);
    E.mul(U, T, V);
    E.tmul(T, V, U);
    E.map([U], entrywiseProduct, [weights, T]);
    E.mul(T, V, U);
    E.mulT(U, T, V);
    E.mul(Z, X, U, -1, 1);
  };
}
