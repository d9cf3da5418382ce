/** All eigenpairs of a small pencil, by a dense factorization. */

import type { Tall } from "@expen/linalg";
import { ProblemError } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { denseOf, eigh, leftDivided, reduceToStandard } from "@expen/linalg/dense";
import type { Pencil, Product } from "./pencil.js";

/** Columns of the identity that a product takes at once */
const PIECE = 256;

/** All eigenvectors of A·x = λB·x: with B = RᵀR those of R⁻ᵀAR⁻¹, divided by R */
export function wholeSpectrum(name: string, { E, n, A, B }: Pencil): Tall {
  const M = E.small(n, n, entriesOf(A));
  if (!B) return E.tall(n, n, E.read(eigh(E, M).vectors));
  const R = E.small(n, n, entriesOf(B));
  if (!E.factor.cholesky(R, R)) {
    throw new ProblemError(`${name}: B is singular or indefinite up to rounding; it must be positive definite.`);
  }
  reduceToStandard(E, M, R);
  return E.tall(n, n, leftDivided(E, R, E.read(eigh(E, M).vectors), n));

  function entriesOf({ matrix, apply }: Product): Float64Array {
    if (matrix) return isSparse(matrix) ? sparseToDense(matrix).data : matrix.data;
    return denseOf(E, apply, n, PIECE);
  }
}
