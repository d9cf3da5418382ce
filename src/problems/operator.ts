/** Data matrices of problems that take dense and sparse ones. */
import { isSparse, type Sparse, sparseIsSymmetric, sparseToDense } from "../arrays/sparse.js";
import { isNearlySymmetric } from "../arrays/symmetric.js";
import type { Engine, Matrix, Tall } from "../types.js";
import { ProblemError } from "./problem.js";

export const dense = (A: Matrix | Sparse): Matrix => (isSparse(A) ? sparseToDense(A) : A);

/** Refuses an n×n matrix that is not symmetric up to the rounding of a file with 12 digits. */
export function checkSymmetric(problem: string, letter: string, A: Matrix | Sparse, tolerance = 1e-12): void {
  const symmetric = isSparse(A) ? sparseIsSymmetric(A, tolerance) : isNearlySymmetric(A, tolerance);
  if (!symmetric) {
    throw new ProblemError(
      `${problem}: ${letter} is not symmetric; give (${letter} + ${letter}ᵀ)/2, which has the same f.`,
    );
  }
}

/** Scratch of rows×(columns of X), made once for each width asked for; `width` at once. */
export function scratch(E: Engine, rows: number, width: number): (X: Matrix) => Tall {
  const made = new Map<number, Tall>([[width, E.tall(rows, width)]]);
  return ({ cols }) => {
    let W = made.get(cols);
    if (!W) made.set(cols, (W = E.tall(rows, cols)));
    return W;
  };
}
