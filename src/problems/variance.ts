/** −½‖AX‖²·weight, the objective of principal components and their sparse relatives, with A or with AᵀA. */
import { extremeEigenvalues } from "../linalg/symmetric-eigenvalues.js";
import type { Engine, Matrix, QuadraticForm } from "../types.js";
import { plain } from "./instances.js";
import { scratch } from "./operator.js";

/** Y ← −weight·AᵀA·X, through the n×n matrix AᵀA, formed once, (2n² operations a column) or through A (4mn) */
export function varianceForm(E: Engine, data: Matrix, p: number, weight: number, covariance: boolean): QuadraticForm {
  const A = E.from(data);
  if (covariance) {
    const K = E.matrix(data.cols, data.cols);
    E.gram(K, A);
    return { apply: (Y, X) => E.apply(Y, K, X, -weight), flops: 2 * data.cols ** 2 };
  }
  const image = scratch(E, data.rows, p);
  return {
    flops: 4 * data.rows * data.cols,
    apply(Y, X) {
      const AX = image(X);
      E.apply(AX, A, X);
      E.tmul(Y, A, AX, -weight);
    },
  };
}

/** Σ of the p largest eigenvalues of AᵀA, from the smaller of AᵀA and AAᵀ (the others are 0) */
export function topEigenvalues(E: Engine, data: Matrix, p: number): number {
  const A = E.from(data);
  const S = E.matrix(Math.min(A.rows, A.cols), Math.min(A.rows, A.cols));
  if (A.rows < A.cols) {
    E.mulT(S, A, A);
    E.symmetrize(S);
  } else E.gram(S, A);
  const { largest } = extremeEigenvalues(S, 0, Math.min(p, S.rows), E);
  return largest.reduce((sum, v) => sum + v, 0);
}

/** A − 1·(column means) */
export function centred(A: Matrix): Matrix {
  const { rows: m, cols: n } = A;
  const mean = new Float64Array(n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) mean[j]! += A.data[i * n + j]! / m;
  const C = plain(m, n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) C.data[i * n + j] = A.data[i * n + j]! - mean[j]!;
  return C;
}
