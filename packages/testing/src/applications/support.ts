/** Plain-number tools for the independent methods that the applications are compared with. */

import { readFileSync } from "node:fs";
import { readCsv } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { EigenvalueDecomposition, Matrix as Ml, SingularValueDecomposition } from "ml-matrix";

export const ml = ({ rows, cols, data }: Matrix): Ml => Ml.from1DArray(rows, cols, Array.from(data));
export const plain = (M: Ml): Matrix => ({ rows: M.rows, cols: M.columns, data: Float64Array.from(M.to1DArray()) });

export function normal(rows: number, cols: number, seed: number, stream = "test"): Ml {
  const M = { rows, cols, data: new Float64Array(rows * cols) };
  fillNormal(M, random(seed, stream));
  return ml(M);
}

/** Orthogonal part of a Gaussian matrix */
export function orthogonal(n: number, p: number, seed: number): Ml {
  const { leftSingularVectors: U, rightSingularVectors: V } = new SingularValueDecomposition(normal(n, p, seed, "Q"));
  return U.mmul(V.transpose());
}

/** ‖XXᵀ − YYᵀ‖_F: 0 for equal subspaces */
export const subspaceDistance = (X: Ml, Y: Ml): number =>
  X.mmul(X.transpose()).sub(Y.mmul(Y.transpose())).norm("frobenius");

/** Eigenvectors of a symmetric matrix by falling eigenvalue */
export function eigenvectors(S: Ml, p: number): { V: Ml; values: number[] } {
  const { eigenvectorMatrix, realEigenvalues } = new EigenvalueDecomposition(S, { assumeSymmetric: true });
  const order = realEigenvalues.map((_, j) => j).sort((a, b) => realEigenvalues[b]! - realEigenvalues[a]!);
  const first = order.slice(0, p);
  return { V: eigenvectorMatrix.subMatrixColumn(first), values: first.map((j) => realEigenvalues[j]!) };
}

export function centred(A: Ml): Ml {
  return A.clone().subRowVector(A.mean("column"));
}

export function shipped(name: "wine" | "iris"): { A: Matrix; labels: Float64Array } {
  const { matrix } = readCsv(readFileSync(new URL(`../../../../examples/data/${name}.csv`, import.meta.url), "utf8"));
  const M = ml(matrix);
  return {
    A: plain(M.subMatrix(0, M.rows - 1, 0, M.columns - 2)),
    labels: Float64Array.from(M.getColumn(M.columns - 1)),
  };
}

/** Largest |entry| of |P| − (a permutation matrix), P a matrix of correlations or inner products: 0 up to order and sign */
export function permutationError(P: Ml): number {
  let worst = 0;
  for (let j = 0; j < P.columns; j++) {
    const sizes = P.getColumn(j).map(Math.abs);
    const peak = Math.max(...sizes);
    worst = Math.max(worst, Math.abs(peak - 1), ...sizes.filter((s) => s !== peak));
  }
  const places = new Set(
    Array.from({ length: P.columns }, (_, j) =>
      P.getColumn(j)
        .map(Math.abs)
        .indexOf(Math.max(...P.getColumn(j).map(Math.abs))),
    ),
  );
  return places.size === P.columns ? worst : 1;
}
