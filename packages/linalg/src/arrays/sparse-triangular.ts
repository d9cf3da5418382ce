/** Substitution in sparse upper triangular matrices, by rows of several right sides at once. */
import type { Sparse } from "../contracts/matrix.js";

/** X ← U⁻¹·X for X row-major with `cols` columns. Each row of U begins with its diagonal entry. */
export function solveUpper({ rows, pointers, indices, values }: Sparse, x: Float64Array, cols: number): void {
  for (let i = rows - 1; i >= 0; i--) {
    const [first, end, own] = [pointers[i]!, pointers[i + 1]!, i * cols];
    for (let k = first + 1; k < end; k++) {
      const [u, other] = [values[k]!, indices[k]! * cols];
      for (let j = 0; j < cols; j++) x[own + j]! -= u * x[other + j]!;
    }
    for (let j = 0; j < cols; j++) x[own + j]! /= values[first]!;
  }
}

/** X ← U⁻ᵀ·X, likewise */
export function solveUpperTransposed({ rows, pointers, indices, values }: Sparse, x: Float64Array, cols: number): void {
  for (let i = 0; i < rows; i++) {
    const [first, end, own] = [pointers[i]!, pointers[i + 1]!, i * cols];
    for (let j = 0; j < cols; j++) x[own + j]! /= values[first]!;
    for (let k = first + 1; k < end; k++) {
      const [u, other] = [values[k]!, indices[k]! * cols];
      for (let j = 0; j < cols; j++) x[other + j]! -= u * x[own + j]!;
    }
  }
}
