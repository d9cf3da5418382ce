/** −½‖AX‖²·weight, the objective of principal components and their sparse relatives, with A or with AᵀA. */
import { extremeEigenvalues } from "../linalg/symmetric-eigenvalues.js";
import { dataPart, type Part } from "../memory/need.js";
import type { Engine, Matrix, QuadraticForm, Tall } from "../types.js";
import { plain, plainTranspose } from "./instances.js";
import { scratch } from "./operator.js";
import type { ProblemOptions } from "./problem.js";

/** Y ← −weight·AᵀA·X, through the n×n matrix −weight·AᵀA, formed once, (2n² operations a column) or through A (4mn) */
export function varianceForm(E: Engine, data: Matrix, p: number, weight: number, covariance: boolean): QuadraticForm {
  if (covariance) {
    const K = gram(E, data);
    for (let i = 0, k = K.data; i < k.length; i++) k[i]! *= -weight;
    const { apply, flops } = E.operator(K);
    return { apply: (Y, X) => apply(Y, X), matrix: K, flops };
  }
  const { apply, applyT, flops } = E.operator(data);
  const { rows: m, cols: n } = data;
  const image = scratch(E, m, p);
  const factor = (): Tall => E.tall(n, m, plainTranspose(data).data);
  return {
    flops: 2 * flops,
    ...(m < n && { lowRank: { weight: -weight, cols: m, factor } }),
    apply(Y, X) {
      const AX = image(X);
      apply(AX, X);
      applyT(Y, AX, -weight);
    },
  };
}

/** Σ of the p largest eigenvalues of AᵀA, from the smaller of AᵀA and AAᵀ (the others are 0) */
export function topEigenvalues(E: Engine, data: Matrix, p: number): number {
  const S = gram(E, data.rows < data.cols ? plainTranspose(data) : data);
  const { largest } = extremeEigenvalues(S, 0, Math.min(p, S.rows), E);
  return largest.reduce((sum, v) => sum + v, 0);
}

/** So many copies of A, and with A its product with X, or AᵀA as it is formed, outside of the engine and as an operator */
export function varianceParts(
  { n, p, A, covariance }: ProblemOptions & { A?: Matrix; covariance?: boolean },
  m: number,
  copies: number,
): Part[] {
  const rows = A?.rows ?? m;
  const formed = covariance ?? n <= 2 * rows;
  return [
    dataPart(A, rows, n, copies),
    formed ? { count: 3, rows: n, cols: n, plain: 1 } : { count: 1, rows, cols: p },
  ];
}

/** AᵀA by the engine, in host memory: the start of an operator or of an eigenvalue problem */
function gram(E: Engine, { rows: m, cols: n, data }: Matrix): Matrix {
  const S = E.small(n, n);
  E.gram(S, E.tall(m, n, data));
  return { rows: n, cols: n, data: E.read(S) };
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
