import { assignRows } from "../nonnegative/assignment.js";

/** The permutation P with the largest ⟨A, P⟩, by the column of the 1 of each row */
export function labelsOf(A: Float64Array, n: number): Int32Array {
  const labels = new Int32Array(n);
  for (const [j, i] of assignRows(A, n, n).entries()) labels[i] = j;
  return labels;
}

export function matrixOf(labels: Int32Array): Float64Array {
  const n = labels.length;
  const P = new Float64Array(n * n);
  for (const [i, j] of labels.entries()) P[i * n + j] = 1;
  return P;
}
