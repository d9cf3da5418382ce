import { SingularValueDecomposition } from "ml-matrix";
import type { Matrix } from "../types.js";
import { toMl } from "./svd.js";

/** ‖A‖_* = Σ σ_i(A), singular values to rounding of the largest; plain code, the same on every engine. */
export function nuclearNorm(A: Matrix): number {
  if (A.rows === 0 || A.cols === 0) return 0;
  const { diagonal } = new SingularValueDecomposition(toMl(A), {
    computeLeftSingularVectors: false,
    computeRightSingularVectors: false,
    autoTranspose: true,
  });
  return diagonal.reduce((sum, sigma) => sum + sigma, 0);
}
