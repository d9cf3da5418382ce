/**
 * X ≥ 0 with XᵀX = I has one positive entry in a row at most: the label of a row is the column of that entry, −1 for a row of zeros.
 * Numbers are row after row in host memory.
 */

import { assignRows } from "./assignment.js";

/** An entry of a row up to this, in 1/√n, is no label. */
const NEGLIGIBLE = 1e-3;
/** Squares of the length of a column below this have no digits. */
const EMPTY = 1e-16;

export interface Size {
  readonly n: number;
  readonly p: number;
}

/** The column of the largest entry of each row; a column without rows takes one by the assignment with the largest sum of entries. */
export function labelsOf(X: Float64Array, { n, p }: Size): Int32Array {
  const labels = new Int32Array(n).fill(-1);
  const rows = new Int32Array(p);
  for (let i = 0; i < n; i++) {
    let [best, at] = [NEGLIGIBLE / Math.sqrt(n), -1];
    for (let j = 0; j < p; j++) if (X[i * p + j]! > best) [best, at] = [X[i * p + j]!, j];
    labels[i] = at;
    if (at >= 0) rows[at]!++;
  }
  if (rows.includes(0)) for (const [j, i] of assignRows(X, n, p).entries()) labels[i] = j;
  return labels;
}

/** The nonnegative unit columns with these labels that are nearest to X; a column that X leaves empty has equal entries. */
export function onLabels(X: Float64Array, labels: Int32Array, { n, p }: Size): Float64Array {
  const Y = new Float64Array(n * p);
  const [squares, counts] = [new Float64Array(p), countsOf(labels, p)];
  for (const [i, j] of labels.entries()) {
    if (j < 0) continue;
    const x = Math.max(X[i * p + j]!, 0);
    Y[i * p + j] = x;
    squares[j]! += x * x;
  }
  for (const [i, j] of labels.entries()) {
    if (j < 0) continue;
    const k = i * p + j;
    Y[k] = squares[j]! > EMPTY ? Y[k]! / Math.sqrt(squares[j]!) : 1 / Math.sqrt(counts[j]!);
  }
  return Y;
}

/** Rows of each label */
export function countsOf(labels: Int32Array, p: number): Int32Array {
  const counts = new Int32Array(p);
  for (const j of labels) if (j >= 0) counts[j]!++;
  return counts;
}

/** The labels of an X that has one positive entry in a row at most */
export function labelsOfExact(X: Float64Array, { n, p }: Size): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => {
    for (let j = 0; j < p; j++) if (X[i * p + j]! > 0) return j;
    return -1;
  });
}

export const isSame = (a: Int32Array, b: Int32Array): boolean => a.every((x, i) => x === b[i]);

/** ‖X off its labels‖_F */
export function offLabels(X: Float64Array, labels: Int32Array, p: number): number {
  let sum = 0;
  for (const [k, x] of X.entries()) if (labels[Math.floor(k / p)] !== k % p) sum += x * x;
  return Math.sqrt(sum);
}
