import type { Matrix } from "./matrix.js";

/**
 * Processes that run the same program. All of them call everything here alike and in the same order, but for `abort`. A decision
 * that depends on a clock or a signal is taken from the last sum, which carries both and is the same for all.
 */
export interface Ranks {
  /** 0 … size − 1; rank 0 speaks */
  readonly rank: number;
  readonly size: number;
  /** ranks on this machine */
  readonly local: number;
  /** name of the engine that works on the rows of a rank */
  readonly inner: string;
  /** sums over ranks, other messages (rows, gathers) and bytes that this rank has sent so far */
  readonly traffic: { reductions: number; exchanges: number; bytes: number };
  /** milliseconds on the clock of rank 0 */
  now(): number;
  /** whether some rank has said true */
  any(value: boolean): boolean;
  /** x of rank 0 */
  agree(x: number): number;
  /** numbers ← their sum over the ranks, the same bits on each */
  sum(numbers: Float64Array): void;
  /** x, a value of f, must be the same on all ranks: the next sum is an error where it is not. */
  same(x: number): void;
  /** An error where some rank has other numbers than rank 0 */
  requireAlike(numbers: ArrayLike<number>, what: string): void;
  /** the first row of this rank, of a matrix with n rows */
  firstRow(n: number): number;
  /** the rows of this rank, not a copy; an error where they lie on a device */
  rowsOf(A: Matrix): Matrix;
  /** Whoever got rows of A has written them; until then A may be written at any time. */
  settle(A: Matrix): void;
  /** a copy of them */
  readRows(A: Matrix): Matrix;
  /**
   * Rows of other ranks: `wanted` are numbers of rows of n×cols matrices, ascending. The function takes the rows of this rank and
   * returns those wanted, one after the other, in an array that its next call uses again.
   */
  exchange(n: number, indices: ArrayLike<number>): (mine: Float64Array, cols: number) => Float64Array;
  /**
   * on rank 0 the rows of all ranks of an n×cols matrix, a block after the other as they come, to be taken to the last;
   * elsewhere nothing
   */
  collect(mine: Float64Array, n: number, cols: number): Iterable<Matrix> | undefined;
  /** All ranks are done, whatever the code that their processes end with. One that ends otherwise ends all. */
  leave(): void;
  /** Ends all ranks at once. */
  abort(code: number): void;
}
