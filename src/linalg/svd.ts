import { Matrix as MlMatrix, SingularValueDecomposition } from "ml-matrix";
import { EngineError } from "../engines/engine.js";
import type { Engine, Matrix } from "../types.js";
import { maxAbs, requireShape, transpose, unitScale } from "./scale.js";

/** A = U·Diag(s)·Vᵀ, thin: with k = min(m, n), U is m×k, V is n×k, both with orthonormal columns, s ≥ 0 descending. */
export type SvdSolver = (U: Matrix, s: Float64Array, V: Matrix, A: Matrix) => void;

export function svdSolver(E: Engine, m: number, n: number): SvdSolver {
  if (m < n) {
    const [At, flipped] = [E.matrix(n, m), svdSolver(E, n, m)];
    return (U, s, V, A) => {
      requireShape(A, m, n, "svd", "A");
      transpose(At, A);
      flipped(V, s, U, At);
    };
  }
  const [W, values, Vt] = [E.matrix(m, n), E.matrix(n, 1), E.matrix(n, n)];
  return (U, s, V, A) => {
    requireShape(A, m, n, "svd", "A");
    requireShape(U, m, n, "svd", "U");
    requireShape(V, n, n, "svd", "V");
    const c = unitScale(maxAbs(A, "svd"));
    if (n === 0) return;
    if (E.lapack) {
      E.axpby(W, c, A, 0);
      const info = E.lapack.gesdd(W, U, values, Vt);
      if (info !== 0) throw new EngineError(`svd: LAPACK's dgesdd failed with info = ${info} on a ${m}×${n} matrix.`);
      transpose(V, Vt);
      for (let j = 0; j < n; j++) s[j] = values.data[j]! / c;
    } else {
      const decomposition = new SingularValueDecomposition(toMl(A, c), { autoTranspose: false });
      U.data.set(decomposition.leftSingularVectors.to1DArray());
      V.data.set(decomposition.rightSingularVectors.to1DArray());
      decomposition.diagonal.forEach((value, j) => {
        s[j] = value / c;
      });
    }
  };
}

/** One decomposition, with everything made for it. In a loop, take `svdSolver`. */
export function svd(E: Engine, A: Matrix): { U: Matrix; s: Float64Array; V: Matrix } {
  const k = Math.min(A.rows, A.cols);
  const [U, s, V] = [E.matrix(A.rows, k), new Float64Array(k), E.matrix(A.cols, k)];
  svdSolver(E, A.rows, A.cols)(U, s, V, A);
  return { U, s, V };
}

/**
 * c·A as ml-matrix keeps it: an array of rows. With c·A of size about 1, entries below 1e−75 become 0: a relative error far below
 * rounding, and ml-matrix loses orthogonality where products of entries underflow.
 */
export function toMl({ rows, cols, data }: Matrix, c = 1): MlMatrix {
  const M = new MlMatrix(rows, cols);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const t = c * data[i * cols + j]!;
      M.set(i, j, Math.abs(t) < 1e-75 ? 0 : t);
    }
  }
  return M;
}
