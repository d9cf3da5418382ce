import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import type { Matrix } from "../types.js";

/** ‖A‖_* = Σ σ_i(A), singular values to rounding of the largest. */
export function nuclearNorm({ rows, cols, data }: Matrix): number {
  if (rows === 0 || cols === 0) return 0;
  const A = new Ml(rows, cols);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) A.set(i, j, data[i * cols + j]!);
  const { diagonal } = new SingularValueDecomposition(A, {
    computeLeftSingularVectors: false,
    computeRightSingularVectors: false,
    autoTranspose: true,
  });
  return diagonal.reduce((sum, sigma) => sum + sigma, 0);
}
