import type { Sparse } from "./sparse.js";

/** A·B, row by row (Gustavson 1978), columns ascending in every row; undefined if it has more than `most` entries */
export function sparseProduct(A: Sparse, B: Sparse, most: number): Sparse | undefined {
  const pointers = new Int32Array(A.rows + 1);
  const [indices, values] = [new Int32Array(most), new Float64Array(most)];
  /** the entries of the current row, and for each column the last row, counted from 1, with an entry in it */
  const [row, lastRow] = [new Float64Array(B.cols), new Int32Array(B.cols)];
  let end = 0;
  for (let i = 0; i < A.rows; i++) {
    const begin = end;
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) {
      const [a, inner] = [A.values[k]!, A.indices[k]!];
      for (let l = B.pointers[inner]!; l < B.pointers[inner + 1]!; l++) {
        const j = B.indices[l]!;
        if (lastRow[j] !== i + 1) {
          if (end === most) return undefined;
          indices[end++] = j;
          lastRow[j] = i + 1;
          row[j] = 0;
        }
        row[j]! += a * B.values[l]!;
      }
    }
    indices.subarray(begin, end).sort();
    for (let k = begin; k < end; k++) values[k] = row[indices[k]!]!;
    pointers[i + 1] = end;
  }
  return { rows: A.rows, cols: B.cols, pointers, indices: indices.slice(0, end), values: values.slice(0, end) };
}
