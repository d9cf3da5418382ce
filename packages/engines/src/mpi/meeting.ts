import type { Engine, Matrix, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { shape } from "@expen/linalg/engine";
import type { Exchange } from "./exchange.js";
import type { Own, Parts } from "./kernels.js";
import type { Partition } from "./partition.js";
import type { Spread } from "./spread.js";

/** Data of the other ranks that operators need */
export interface Meeting extends Parts, Partition {
  readonly size: number;
  readonly own: Own;
  exchange(n: number, indices: ArrayLike<number>): Exchange;
  /** the rows of all ranks of a matrix with n rows, one rank after the other */
  gathered(mine: Float64Array, n: number, cols: number): Float64Array;
  /** a tall matrix of this engine whose rows on this rank are those of `mine` */
  spread(rows: number, cols: number, mine: Tall): Tall;
  requireAlike(numbers: ArrayLike<number>, what: string): void;
  readonly counters: Engine["counters"];
}

/** Y and X of an operator with rows×cols, checked: tall matrices of this engine, of as many columns, apart */
export function checked(
  { own }: Pick<Meeting, "own">,
  op: string,
  Y: Matrix,
  X: Matrix,
  rows: number,
  cols: number,
): [Spread, Spread] {
  const [y, x] = [own(Y, op, "Y"), own(X, op, "X")];
  if (y === x) throw new EngineError(`${op}: the destination is also the input X; use a second matrix.`);
  if (x.kind !== "tall" || y.kind !== "tall")
    throw new EngineError(`${op}: one of X and Y is tall and the other small; both must be of one kind.`);
  if (X.rows !== cols || Y.rows !== rows || X.cols !== Y.cols) {
    throw new EngineError(
      `${op}: Y is ${shape(Y)} and X is ${shape(X)} but the operator is ${rows}×${cols}; Y must be ${rows}×${X.cols}.`,
    );
  }
  return [y as Spread, x as Spread];
}
