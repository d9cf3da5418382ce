/** Compares products with a declared matrix with those of `apply`: a proof for one holds for the other up to their difference. */

import type { QuadraticForm } from "@expen/core";
import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";

/**
 * Largest asymmetry of B relative to its largest entry: ½⟨X, BX⟩ = ½⟨X, ½(B + Bᵀ)X⟩, and proofs take the symmetric part. Also the
 * largest relative difference between products with a declared B and with `apply`, which enters the bound.
 */
export const DIFFERENCE = 1e-9;
/** Number of random vectors in the comparison, and the factor with which they bound ‖·‖₂ with probability 1 − 10⁻¹⁰ */
const [VECTORS, PART] = [8, 10];

/** A bound of ‖B − B'‖₂, B the matrix of `apply` and B' the declared one, from random vectors; undefined if it exceeds roundoff */
export function declaredDifference(
  E: Engine,
  { apply }: QuadraticForm,
  n: number,
  declared: QuadraticForm["apply"],
): number | undefined {
  const [Z, BZ, D] = [E.tall(n, VECTORS), E.tall(n, VECTORS), E.tall(n, VECTORS)];
  E.write(Z, random(1, "declared matrix").normal);
  apply(BZ, Z);
  declared(D, Z);
  const size = norm(E, D);
  E.combine(D, -1, BZ, 1, D);
  const difference = norm(E, D);
  return difference <= DIFFERENCE * size ? PART * difference : undefined;
}
