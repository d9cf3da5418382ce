/** Linear maps on tall matrices in host memory: dense, sparse and tridiagonal ones. */
import { isSparse } from "../../arrays/sparse.js";
import type { Engine, Matrix, Operator, Sparse, Tridiagonal } from "../../types.js";
import { denseOperator } from "./dense.js";
import { sparseOperator } from "./sparse.js";
import { tridiagonalOperator } from "./tridiagonal.js";

/** What operators take of the engine that makes them. Everything is checked by it. */
export interface OperatorHost extends Pick<Engine, "combine" | "counters" | "tridiagonal" | "tridiagonalSolve"> {
  /** The numbers of a matrix of the engine, in place */
  numbers(M: Matrix, op: string, letter: string): Float64Array;
  /** A matrix of the engine with a copy of the numbers */
  make(rows: number, cols: number, numbers: Float64Array): Matrix;
  /** C ← a·op(A)·op(B) + b·C */
  product(op: string, C: Matrix, A: Matrix, tA: boolean, B: Matrix, tB: boolean, a: number, b: number): void;
}

export const isTridiagonal = (A: Matrix | Sparse | Tridiagonal): A is Tridiagonal => "main" in A;

export const hostOperators =
  (host: OperatorHost) =>
  (A: Matrix | Sparse | Tridiagonal): Operator => {
    if (isTridiagonal(A)) return tridiagonalOperator(host, A);
    return isSparse(A) ? sparseOperator(host, A) : denseOperator(host, A);
  };
