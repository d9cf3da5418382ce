/** Matrices as lists of rows, and the other way round */
import type { Matrix } from "expen";

export const rowsOf = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.slice(i * cols, (i + 1) * cols)));

export const columnsOf = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: cols }, (_, j) => Array.from({ length: rows }, (_, i) => data[i * cols + j]!));

export const matrixOf = (rows: readonly (readonly number[])[]): Matrix => ({
  rows: rows.length,
  cols: rows[0]!.length,
  data: Float64Array.from(rows.flat()),
});
