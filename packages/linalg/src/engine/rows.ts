/** The rows of a tall matrix that this process has. */
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Tall } from "../contracts/matrix.js";

/** Not a copy, and the number of the first; all of them where there is one process, in host memory */
export function rowsOf(E: Engine, X: Tall): Matrix & { readonly firstRow: number } {
  if (!E.ranks) return { rows: X.rows, cols: X.cols, data: X.data, firstRow: 0 };
  return { ...E.ranks.rowsOf(X), firstRow: E.ranks.firstRow(X.rows) };
}

/** A copy, on any engine */
export function copyOfRows(E: Engine, X: Tall): Matrix {
  if (!E.ranks) return { rows: X.rows, cols: X.cols, data: E.read(X) };
  return E.ranks.readRows(X);
}
