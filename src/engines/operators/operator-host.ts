import type { Engine, Matrix } from "../../types.js";

/** What operators take of the engine that makes them. Everything is checked by it. */
export interface OperatorHost extends Pick<Engine, "combine" | "counters" | "tridiagonal" | "tridiagonalSolve"> {
  /** The numbers of a matrix of the engine, in place */
  numbers(M: Matrix, op: string, letter: string): Float64Array;
  /** A matrix of the engine with a copy of the numbers */
  make(rows: number, cols: number, numbers: Float64Array): Matrix;
  /** C ← a·op(A)·op(B) + b·C */
  product(op: string, C: Matrix, A: Matrix, tA: boolean, B: Matrix, tB: boolean, a: number, b: number): void;
}
