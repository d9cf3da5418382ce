/** Sparse matrices in compressed rows (contracts/matrix.ts) */

import type { Matrix, Sparse } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { requireMemoryFor } from "../memory/require.js";

export type { Sparse };

export const isSparse = (A: Matrix | Sparse): A is Sparse => "pointers" in A;

/**
 * The matrix Σ_k values[k]·e_{i[k]} e_{j[k]}ᵀ; entries given twice are summed, columns ascend in every row.
 * Two stable counting sorts, by column and then by row: O(entries + rows + cols).
 */
export function sparseFromTriplets(
  rows: number,
  cols: number,
  i: ArrayLike<number>,
  j: ArrayLike<number>,
  values: ArrayLike<number>,
): Sparse {
  const [ofRows, ofCols, count] = [i, j, values].map((list) => list?.length ?? 0) as [number, number, number];
  if (ofRows !== count || ofCols !== count) {
    throw new EngineError(
      `sparse: ${ofRows} row indices, ${ofCols} column indices and ${count} values; the three must be as many, each an array of its own.`,
    );
  }
  for (let k = 0; k < count; k++) {
    if (!(i[k]! >= 0 && i[k]! < rows && Number.isInteger(i[k]))) throw outside("row", i[k]!, k, rows);
    if (!(j[k]! >= 0 && j[k]! < cols && Number.isInteger(j[k]))) throw outside("column", j[k]!, k, cols);
  }
  const order = countingSort(i, rows, countingSort(j, cols));
  const pointers = new Int32Array(rows + 1);
  const indices = new Int32Array(count);
  const sums = new Float64Array(count);
  let last = -1;
  let previous = -1; // row of the previous entry
  for (const k of order) {
    if (last >= 0 && previous === i[k] && indices[last] === j[k]) sums[last]! += values[k]!;
    else {
      last++;
      indices[last] = j[k]!;
      sums[last] = values[k]!;
      pointers[i[k]! + 1]!++;
    }
    previous = i[k]!;
  }
  for (let row = 0; row < rows; row++) pointers[row + 1]! += pointers[row]!;
  return { rows, cols, pointers, indices: indices.slice(0, last + 1), values: sums.slice(0, last + 1) };
}

function outside(kind: string, index: number, k: number, size: number): EngineError {
  return new EngineError(
    `sparse: ${kind} index ${index} of entry ${k} is outside 0 … ${size - 1}; indices count from 0.`,
  );
}

/** The positions 0 … count−1 (or those in `before`) sorted by key; stable */
function countingSort(key: ArrayLike<number>, range: number, before?: Int32Array): Int32Array {
  const next = new Int32Array(range + 1);
  for (let k = 0; k < key.length; k++) next[key[k]! + 1]!++;
  for (let v = 0; v < range; v++) next[v + 1]! += next[v]!;
  const order = new Int32Array(key.length);
  for (let at = 0; at < key.length; at++) {
    const k = before ? before[at]! : at;
    order[next[key[k]!]!++] = k;
  }
  return order;
}

/** Y ← a·A·X + b·Y; A and X are not read if a = 0, nor Y if b = 0. */
export function sparseApply(Y: Matrix, A: Sparse, X: Matrix, a = 1, b = 0): void {
  if (X.rows !== A.cols || Y.rows !== A.rows || Y.cols !== X.cols) {
    throw new EngineError(
      `sparseApply: Y is ${Y.rows}×${Y.cols} but A·X is ${A.rows}×${A.cols} times ${X.rows}×${X.cols}; check the shapes.`,
    );
  }
  if (Y === X) throw new EngineError("sparseApply: the destination is also the input X; use a second matrix.");
  const p = X.cols;
  const [x, y] = [X.data, Y.data];
  if (a === 0) {
    for (let k = 0; k < A.rows * p; k++) y[k] = b === 0 ? 0 : b * y[k]!;
    return;
  }
  const { pointers, indices, values } = A;
  const whole = p - (p % 4);
  for (let i = 0; i < A.rows; i++) {
    const begin = pointers[i]!;
    const end = pointers[i + 1]!;
    const at = i * p;
    // four columns at a time, whose sums stay in registers
    for (let c = 0; c < whole; c += 4) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = begin; k < end; k++) {
        const v = values[k]!;
        const from = indices[k]! * p + c;
        s0 += v * x[from]!;
        s1 += v * x[from + 1]!;
        s2 += v * x[from + 2]!;
        s3 += v * x[from + 3]!;
      }
      y[at + c] = b === 0 ? a * s0 : a * s0 + b * y[at + c]!;
      y[at + c + 1] = b === 0 ? a * s1 : a * s1 + b * y[at + c + 1]!;
      y[at + c + 2] = b === 0 ? a * s2 : a * s2 + b * y[at + c + 2]!;
      y[at + c + 3] = b === 0 ? a * s3 : a * s3 + b * y[at + c + 3]!;
    }
    let c = whole;
    if (p - c >= 2) {
      let s0 = 0;
      let s1 = 0;
      for (let k = begin; k < end; k++) {
        const v = values[k]!;
        const from = indices[k]! * p + c;
        s0 += v * x[from]!;
        s1 += v * x[from + 1]!;
      }
      y[at + c] = b === 0 ? a * s0 : a * s0 + b * y[at + c]!;
      y[at + c + 1] = b === 0 ? a * s1 : a * s1 + b * y[at + c + 1]!;
      c += 2;
    }
    for (; c < p; c++) {
      let s = 0;
      for (let k = begin; k < end; k++) s += values[k]! * x[indices[k]! * p + c]!;
      y[at + c] = b === 0 ? a * s : a * s + b * y[at + c]!;
    }
  }
}

export function sparseTranspose(A: Sparse): Sparse {
  const pointers = new Int32Array(A.cols + 1);
  for (const j of A.indices) pointers[j + 1]!++;
  for (let j = 0; j < A.cols; j++) pointers[j + 1]! += pointers[j]!;
  const next = pointers.slice(0, A.cols);
  const indices = new Int32Array(A.indices.length);
  const values = new Float64Array(A.values.length);
  for (let i = 0; i < A.rows; i++) {
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) {
      const to = next[A.indices[k]!]!++;
      indices[to] = i;
      values[to] = A.values[k]!;
    }
  }
  return { rows: A.cols, cols: A.rows, pointers, indices, values };
}

/** (A + Aᵀ)/2 */
export function sparseSymmetricPart(A: Sparse): Sparse {
  const T = sparseTranspose(A);
  const [rows, cols, values]: number[][] = [[], [], []];
  for (const { pointers, indices, values: numbers } of [A, T]) {
    for (let i = 0; i < A.rows; i++) {
      for (let k = pointers[i]!; k < pointers[i + 1]!; k++) {
        rows!.push(i);
        cols!.push(indices[k]!);
        values!.push(0.5 * numbers[k]!);
      }
    }
  }
  return sparseFromTriplets(A.rows, A.cols, rows!, cols!, values!);
}

/** max |A − Aᵀ| ≤ tolerance·max |A|; entries stored on one side only count as 0 on the other */
export function sparseIsSymmetric(A: Sparse, tolerance = 0): boolean {
  if (A.rows !== A.cols) return false;
  const T = sparseTranspose(A);
  const { pointers, indices, values } = A;
  if (same(pointers, T.pointers) && same(indices, T.indices) && same(values, T.values)) return true;
  let largest = 0;
  for (const v of A.values) largest = Math.max(largest, Math.abs(v));
  const bound = tolerance * largest;
  const row = new Float64Array(A.cols);
  for (let i = 0; i < A.rows; i++) {
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) row[A.indices[k]!]! += A.values[k]!;
    for (let k = T.pointers[i]!; k < T.pointers[i + 1]!; k++) row[T.indices[k]!]! -= T.values[k]!;
    let symmetric = true;
    for (const B of [A, T]) {
      for (let k = B.pointers[i]!; k < B.pointers[i + 1]!; k++) {
        if (!(Math.abs(row[B.indices[k]!]!) <= bound)) symmetric = false;
      }
    }
    if (!symmetric) return false;
    for (const B of [A, T]) for (let k = B.pointers[i]!; k < B.pointers[i + 1]!; k++) row[B.indices[k]!] = 0;
  }
  return true;
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** Whether columns ascend strictly in every row */
export function sparseIsSorted({ rows, pointers, indices }: Sparse): boolean {
  for (let i = 0; i < rows; i++) {
    for (let k = pointers[i]! + 1; k < pointers[i + 1]!; k++) if (indices[k - 1]! >= indices[k]!) return false;
  }
  return true;
}

/** The same matrix, dense, in host memory */
export function sparseToDense(A: Sparse): Matrix {
  requireMemoryFor(A.rows, A.cols);
  const data = new Float64Array(A.rows * A.cols);
  for (let i = 0; i < A.rows; i++) {
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) data[i * A.cols + A.indices[k]!]! += A.values[k]!;
  }
  return { rows: A.rows, cols: A.cols, data };
}
