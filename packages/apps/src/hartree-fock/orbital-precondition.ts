import type { Precondition } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { entrywiseProduct } from "@expen/linalg/engine";

/** Least denominator w_a − ε_i, hartree, of the preconditioner: differences among occupied orbitals may be 0. */
const LEAST = 0.2;

/**
 * The inverse of the Hessian without G, D ↦ 4(F·D − D·Diag(ε)) for the orbital energies ε_i. In the eigenvectors of F = V·Diag(w)·Vᵀ it
 * is diagonal: Z = V·W∘(VᵀG) with W_ai = 1/(4|w_a − ε_i|).
 */
export function orbitalPrecondition(E: Engine, F: Small, orbitalEnergies: ArrayLike<number>): Precondition {
  const [N, p] = [F.rows, orbitalEnergies.length];
  const { values, vectors } = eigh(E, F);
  const V: Tall = E.tall(N, N, E.read(vectors));
  const W = E.small(
    N,
    p,
    Float64Array.from({ length: N * p }, (_, k) => {
      const gap = Math.abs(values[Math.floor(k / p)]! - orbitalEnergies[k % p]!);
      return 1 / (4 * Math.max(gap, LEAST));
    }),
  );
  const [A, B] = [E.small(N, p), E.small(N, p)];
  return (Z, _X, G) => {
    E.tmul(A, V, G);
    E.map([B], entrywiseProduct, [A, W]);
    E.mul(Z, V, B);
  };
}
