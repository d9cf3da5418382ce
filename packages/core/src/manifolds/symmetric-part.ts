import type { Engine, Tall } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";

/**
 * Z ← Z − X·C with Φ(XᵀZ) = 0 afterwards: the orthogonal projection to the space of the gradients 𝒥ᵀ(G). C solves
 * MC + CM = 2·Φ(XᵀZ), M = XᵀX, entry by entry in the eigenvectors of M.
 */
export function symmetricPartRemover(E: Engine, p: number, X: Tall): (Z: Tall) => void {
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
