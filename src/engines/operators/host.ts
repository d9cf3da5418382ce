/** Linear maps on tall matrices in host memory: dense, sparse and tridiagonal ones. */
import { isSparse } from "../../arrays/sparse.js";
import type { Matrix, Operator, Sparse, Tridiagonal } from "../../types.js";
import { denseOperator } from "./dense.js";
import type { OperatorHost } from "./operator-host.js";
import { sparseOperator } from "./sparse.js";
import { tridiagonalOperator } from "./tridiagonal.js";

export const isTridiagonal = (A: Matrix | Sparse | Tridiagonal): A is Tridiagonal => "main" in A;

export const hostOperators =
  (host: OperatorHost) =>
  (A: Matrix | Sparse | Tridiagonal): Operator => {
    if (isTridiagonal(A)) return tridiagonalOperator(host, A);
    return isSparse(A) ? sparseOperator(host, A) : denseOperator(host, A);
  };
