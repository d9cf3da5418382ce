import { eigh } from "../linalg/eigh.js";
import { plainTranspose } from "../problems/instances.js";
import type { Engine, Matrix, Small } from "../types.js";
import { columns, plainOf, scaleColumns, smallOf, tallOf } from "./application.js";

/** Of an eigenvalue at most this part of the largest, AAᵀ does not know the direction. */
const NOTHING = 1e-14;

/**
 * The p leading eigenvectors of AᵀA. Where A has fewer rows than columns they come from AAᵀ = U·Diag(w)·Uᵀ as AᵀU·Diag(w)^(−½): m² numbers
 * in place of n². A direction without variance is a column of zeros then, for whoever starts there to complete.
 */
export function topSubspace(E: Engine, A: Matrix, p: number): Matrix {
  const wide = A.rows < A.cols && p <= A.rows;
  const T = tallOf(E, wide ? plainTranspose(A) : A);
  const C = E.small(T.cols, T.cols);
  E.gram(C, T);
  const { values, basis } = leading(E, C, p);
  if (!wide) return basis;
  const X = E.tall(A.cols, p);
  E.mul(X, T, smallOf(E, basis));
  const least = NOTHING * values[0]!;
  return scaleColumns(
    plainOf(E, X),
    values.map((w) => (w > least ? 1 / Math.sqrt(w) : 0)),
  );
}

/** The eigenvectors of the p largest eigenvalues of S, and those, falling */
export function leading(E: Engine, S: Small, p: number): { values: number[]; basis: Matrix } {
  const { values, vectors } = eigh(E, S);
  const order = Array.from({ length: p }, (_, j) => S.cols - 1 - j);
  return { values: order.map((j) => values[j]!), basis: columns(plainOf(E, vectors), order) };
}
