import type { Matrix, Operator } from "../../types.js";
import type { OperatorHost } from "./operator-host.js";

/** A dense A, copied into the engine */
export function denseOperator({ tall, ofOneKind, product }: OperatorHost, A: Matrix): Operator {
  const { rows, cols } = A;
  const B = tall(rows, cols, A.data);
  function multiply(op: string, Y: Matrix, turned: boolean, X: Matrix, a: number, b: number): void {
    ofOneKind(Y, X, op, "Y and X");
    product(op, Y, B, turned, X, false, a, b);
  }
  return {
    rows,
    cols,
    flops: 2 * rows * cols,
    apply: (Y, X, a = 1, b = 0) => multiply("apply", Y, false, X, a, b),
    applyT: (Y, X, a = 1, b = 0) => multiply("applyT", Y, true, X, a, b),
  };
}
