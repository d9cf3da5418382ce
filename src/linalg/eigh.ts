import { EigenvalueDecomposition, Matrix as MlMatrix } from "ml-matrix";
import { EngineError } from "../engines/engine.js";
import type { Engine, Matrix } from "../types.js";
import { maxAbs, requireShape, requireSquare, transpose, unitScale } from "./scale.js";

/** S = V·Diag(w)·Vᵀ with w ascending and the eigenvectors as the columns of V. S is taken as (S + Sᵀ)/2. */
export type EigenSolver = (V: Matrix, w: Float64Array, S: Matrix) => void;

export function eigenSolver(E: Engine, p: number): EigenSolver {
  const [A, values] = [E.matrix(p, p), E.matrix(p, 1)];
  return (V, w, S) => {
    requireShape(S, p, p, "eigh", "S");
    requireShape(V, p, p, "eigh", "V");
    // scaled by a power of two, which is exact: no square overflows or underflows
    const c = unitScale(maxAbs(S, "eigh"));
    if (p === 0) return;
    E.axpby(A, c, S, 0);
    E.symmetrize(A);
    if (E.lapack) {
      const info = E.lapack.syevd(A, values);
      if (info !== 0) throw new EngineError(`eigh: LAPACK's dsyevd failed with info = ${info} on a ${p}×${p} matrix.`);
      transpose(V, A);
      for (let j = 0; j < p; j++) w[j] = values.data[j]! / c;
    } else {
      const decomposition = new EigenvalueDecomposition(toMl(A), { assumeSymmetric: true });
      V.data.set(decomposition.eigenvectorMatrix.to1DArray());
      decomposition.realEigenvalues.forEach((value, j) => {
        w[j] = value / c;
      });
    }
  };
}

/** One decomposition, with everything made for it. In a loop, take `eigenSolver`. */
export function eigh(E: Engine, S: Matrix): { values: Float64Array; vectors: Matrix } {
  const p = requireSquare(S, "eigh");
  const [values, vectors] = [new Float64Array(p), E.matrix(p, p)];
  eigenSolver(E, p)(vectors, values, S);
  return { values, vectors };
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
