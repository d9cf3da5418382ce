import { isSymmetric } from "../../arrays/symmetric.js";
import type { Matrix, Operator } from "../../types.js";
import type { Owned } from "../kernels.js";
import type { OperatorHost } from "./operator-host.js";

/** With more numbers than these it is not in the cache, and reading half of a symmetric matrix pays: for vectors, which read it often. */
const LARGE = 2 ** 21;
const VECTORS = 2;

/** A dense A, copied into the engine */
export function denseOperator({ tall, ofOneKind, product, numbers }: OperatorHost, A: Matrix): Operator {
  const { rows, cols } = A;
  const B = tall(rows, cols, A.data);
  let looked = rows !== cols || rows * cols <= LARGE;
  function multiply(op: string, Y: Matrix, turned: boolean, X: Matrix, a: number, b: number): void {
    if (!looked && X.cols <= VECTORS) {
      looked = true;
      (B as Owned).symmetric = isSymmetric(numbers(B, op, "A"), rows);
    }
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
