import { sparseApply, sparseTranspose } from "../../arrays/sparse.js";
import type { Matrix, Operator, Sparse } from "../../types.js";
import type { OperatorHost } from "./operator-host.js";

/** A sparse A stays outside of the engine and works on the engine's numbers directly. Aᵀ is made when it is first needed. */
export function sparseOperator({ numbers, ofOneKind, counters }: OperatorHost, A: Sparse): Operator {
  const flops = 2 * A.values.length;
  let transposed: Sparse | undefined;
  function multiply(op: string, Y: Matrix, B: Sparse, X: Matrix, a: number, b: number): void {
    const y = { rows: Y.rows, cols: Y.cols, data: numbers(Y, op, "Y") };
    const x = { rows: X.rows, cols: X.cols, data: numbers(X, op, "X") };
    ofOneKind(Y, X, op, "Y and X");
    sparseApply(y, B, Y === X ? y : x, a, b);
    counters.flops += flops * X.cols;
  }
  return {
    rows: A.rows,
    cols: A.cols,
    flops,
    apply: (Y, X, a = 1, b = 0) => multiply("apply", Y, A, X, a, b),
    applyT: (Y, X, a = 1, b = 0) => multiply("applyT", Y, (transposed ??= sparseTranspose(A)), X, a, b),
  };
}
