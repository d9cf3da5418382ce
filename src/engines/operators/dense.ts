import type { Matrix, Operator } from "../../types.js";
import type { OperatorHost } from "./operator-host.js";

/** A dense A, copied into the engine */
export function denseOperator({ make, product }: OperatorHost, A: Matrix): Operator {
  const { rows, cols } = A;
  const B = make(rows, cols, A.data);
  return {
    rows,
    cols,
    flops: 2 * rows * cols,
    apply: (Y, X, a = 1, b = 0) => product("apply", Y, B, false, X, false, a, b),
    applyT: (Y, X, a = 1, b = 0) => product("applyT", Y, B, true, X, false, a, b),
  };
}
