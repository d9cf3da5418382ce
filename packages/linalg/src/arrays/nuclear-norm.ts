import type { Matrix } from "../contracts/matrix.js";
import { orthogonalizeRows } from "./one-sided-jacobi.js";
import { maxAbs, unitScale } from "./scale.js";

/** ‖A‖_* = Σ σ_i(A), with singular values to rounding of the largest, for A in host memory; the same bits everywhere */
export function nuclearNorm(A: Matrix): number {
  const { rows, cols } = A;
  const [k, n] = [Math.min(rows, cols), Math.max(rows, cols)];
  const c = unitScale(maxAbs(A.data, cols, "nuclearNorm"));
  // the rows of A, or its columns if they are fewer
  const a = new Float64Array(k * n);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) a[rows <= cols ? i * n + j : j * n + i] = c * A.data[i * cols + j]!;
  }
  const squares = new Float64Array(k);
  orthogonalizeRows(k, n, n, a, squares);
  return squares.reduce((sum, square) => sum + Math.sqrt(square), 0) / c;
}
