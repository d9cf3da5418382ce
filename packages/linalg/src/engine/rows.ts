/** The rows of a tall matrix on this process */
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Tall } from "../contracts/matrix.js";

/** A view, in host memory, and the index of the first row; a single process has all rows */
export function rowsOf(E: Engine, X: Tall): Matrix & { readonly firstRow: number } {
  if (!E.ranks) return { rows: X.rows, cols: X.cols, data: X.data, firstRow: 0 };
  return { ...E.ranks.rowsOf(X), firstRow: E.ranks.firstRow(X.rows) };
}

/** A copy of them, on any engine */
export function copyOfRows(E: Engine, X: Tall): Matrix {
  if (!E.ranks) return { rows: X.rows, cols: X.cols, data: E.read(X) };
  return E.ranks.readRows(X);
}
