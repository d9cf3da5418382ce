import { smallOf, tallOf } from "../engines/own-matrix.js";
import { eigh } from "../linalg/eigh.js";
import { plainTranspose } from "../problems/instances.js";
import type { Engine, Matrix, Small, Tall } from "../types.js";
import { columns, plainOf, scaleColumns } from "./application.js";

/** Of an eigenvalue at most this part of the largest, AAᵀ does not know the direction. */
const NOTHING = 1e-14;

/** The p leading eigenvectors of AᵀA, from the smaller of AᵀA and AAᵀ */
export function topSubspace(E: Engine, A: Matrix, p: number): Matrix {
  if (A.rows < A.cols && p <= A.rows) return throughRows(E, tallOf(E, plainTranspose(A)), p);
  const C = E.small(A.cols, A.cols);
  E.gram(C, tallOf(E, A));
  return leading(E, C, p).basis;
}

/**
 * The p leading eigenvectors of TTᵀ for T with at least p columns, fewer than rows: TᵀT = U·Diag(w)·Uᵀ gives them as TU·Diag(w)^(−½),
 * with m² numbers in place of n². A direction without variance is a column of zeros then, for whoever starts there to complete.
 */
export function throughRows(E: Engine, T: Tall, p: number): Matrix {
  const S = E.small(T.cols, T.cols);
  E.gram(S, T);
  const { values, basis } = leading(E, S, p);
  const X = E.tall(T.rows, p);
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
