/** Products with a declared matrix beside those of `apply`: a proof for the one holds for the other up to their difference. */

import type { QuadraticForm } from "@expen/core";
import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";

/**
 * ½⟨X, BX⟩ is that of (B + Bᵀ)/2, which is taken: B may be so far from symmetric, relative to its largest entry. Products with a declared
 * B and with `apply` may differ by as much, relative to the products, which goes into the bound.
 */
export const DIFFERENCE = 1e-9;
/** Products with so many random vectors are compared: with a probability of 1 − 10⁻¹⁰ they show a tenth of ‖·‖₂. */
const [VECTORS, PART] = [8, 10];

/** A bound of ‖B − B'‖₂, B the matrix of `apply` and B' the declared one, from random vectors; nothing where it is more than rounding */
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
