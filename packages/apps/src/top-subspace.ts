import type { Engine, Matrix, Tall } from "@expen/linalg";
import { plainTranspose } from "@expen/linalg";
import { eigh, PARTIAL_EIGENSOLVE_SHARE } from "@expen/linalg/dense";
import { numbersOf, smallOf, tallOf } from "@expen/linalg/engine";
import { columns, plainOf, scaleColumns } from "./application.js";

/** Eigenvalue over the largest below which the eigenvector of AᵀA cannot be computed from that of AAᵀ */
const NEGLIGIBLE = 1e-14;
/** Size up to which a part of the eigenvectors takes as long as all of them */
const SMALL = 64;

/** The p leading eigenvectors of AᵀA, from the smaller of AᵀA and AAᵀ */
export function topSubspace(E: Engine, A: Matrix, p: number): Matrix {
  if (A.rows < A.cols && p <= A.rows) return plainOf(E, throughRows(E, tallOf(E, plainTranspose(A)), p).X);
  return leading(E, minusGram(E, tallOf(E, A)), p).basis;
}

/**
 * The p leading eigenvectors of TTᵀ for T with at least p columns, fewer than rows: TᵀT = U·Diag(w)·Uᵀ gives them as TU·Diag(w)^(−½),
 * with m² numbers in place of n². Directions without variance become columns of zeros. The values are −w.
 */
export function throughRows(E: Engine, T: Tall, p: number): { values: Float64Array; X: Tall } {
  const { values, basis } = leading(E, minusGram(E, T), p);
  const least = NEGLIGIBLE * values[0]!;
  const lengths = values.map((minus) => (minus < least ? 1 / Math.sqrt(-minus) : 0));
  const X = E.tall(T.rows, p);
  E.mul(X, T, smallOf(E, scaleColumns(basis, lengths)));
  return { values, X };
}

function minusGram(E: Engine, T: Tall): Matrix {
  const S = E.small(T.cols, T.cols);
  E.gram(S, T);
  E.combine(S, -1, S, 0, S);
  return plainOf(E, S);
}

/** The eigenvectors of the p largest eigenvalues of C, from `minus` = −C, and the eigenvalues of −C, increasing */
export function leading(E: Engine, minus: Matrix, p: number): { values: Float64Array; basis: Matrix } {
  const n = minus.rows;
  if (E.factor.lowest && n > SMALL && p <= PARTIAL_EIGENSOLVE_SHARE * n) {
    const [V, values] = [E.small(n, p), new Float64Array(p)];
    if (E.factor.lowest(V, values, numbersOf(E, minus))) return { values, basis: plainOf(E, V) };
  }
  const { values, vectors } = eigh(E, smallOf(E, minus));
  const lowest = Array.from({ length: p }, (_, j) => j);
  return { values: values.subarray(0, p), basis: columns(plainOf(E, vectors), lowest) };
}
