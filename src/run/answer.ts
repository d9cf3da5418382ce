import type { Engine, Matrix, Tall } from "../types.js";

/** X in plain numbers: all of it, or, where rows lie apart, those of this rank */
export function answerOf(E: Engine, X: Tall): Matrix {
  if (!E.ranks) return { rows: X.rows, cols: X.cols, data: E.read(X) };
  const { rows, cols, data } = E.ranks.rowsOf(X);
  return { rows, cols, data: data.slice() };
}
