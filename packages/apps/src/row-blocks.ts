import type { Engine, Matrix, Tall } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";

/** Entries of a block: 256 kB, which stay in a processor's L2 cache. */
const NUMBERS = 2 ** 15;

/**
 * Calls `visit` with the blocks, one of each matrix, their first row and their number of data rows; further rows are zeros. The blocks
 * are valid until the next call: engines that cannot read the data in place overwrite them.
 */
export type RowBlocks = (visit: (blocks: readonly Tall[], from: number, count: number) => void) => void;

/**
 * Passes the rows of plain matrices with equally many rows through in blocks, without a copy of the data: first-touch page faults would
 * cost more than a product. `change` is applied to the entries of every block.
 */
export function rowBlocks(
  E: Engine,
  matrices: readonly Matrix[],
  change?: (numbers: Float64Array) => void,
  numbers: number = NUMBERS,
): RowBlocks {
  const m = matrices[0]!.rows;
  const widest = Math.max(...matrices.map(({ cols }) => cols));
  // equal heights
  const height = Math.ceil(m / Math.ceil((m * widest) / numbers));
  const block = change || !E.host ? copying(E, matrices, height, change) : E.host.lend;
  return (visit) => {
    for (let from = 0; from < m; from += height) {
      const rows = Math.min(height, m - from);
      const at = ({ cols, data }: Matrix): Matrix => ({
        rows,
        cols,
        data: data.subarray(from * cols, (from + rows) * cols),
      });
      visit(
        matrices.map((A, k) => block(at(A), k)),
        from,
        rows,
      );
    }
  };
}

/** Entries of a block if four intermediate blocks share the cache with it */
const NUMBERS_WITH_SCRATCH = NUMBERS / 4;

/** Rows for repeated passes: in blocks if the engine reads them in place, otherwise as matrices of the engine */
export function reusableRowBlocks(E: Engine, matrices: readonly Matrix[]): RowBlocks {
  if (E.host) return rowBlocks(E, matrices, undefined, NUMBERS_WITH_SCRATCH);
  const whole = matrices.map((A) => tallOf(E, A));
  return (visit) => visit(whole, 0, whole[0]!.rows);
}

/** Blocks copied to matrices of `height` rows, the last one padded by zeros */
function copying(E: Engine, matrices: readonly Matrix[], height: number, change?: (numbers: Float64Array) => void) {
  const targets = scratchBlocks(
    E,
    height,
    matrices.map(({ cols }) => cols),
  );
  const copy = new Float64Array(height * Math.max(...targets.map(({ cols }) => cols)));
  return ({ rows, cols, data }: Matrix, k: number): Tall => {
    let numbers = data;
    if (change || rows < height) {
      copy.set(data);
      change?.(copy.subarray(0, data.length));
      numbers = copy.subarray(0, height * cols).fill(0, rows * cols);
    }
    E.write(targets[k]!, numbers);
    return targets[k]!;
  };
}

/** The recently used blocks of each engine, which are still in the processor's cache */
const recentBlocks = new WeakMap<Engine, (readonly Tall[])[]>();
/** Most lists of blocks that are kept per engine */
const MOST_RECENT = 4;

/** Scratch with these sizes and arbitrary entries, reused if recent blocks fit */
export function scratchBlocks(E: Engine, rows: number, cols: readonly number[]): readonly Tall[] {
  const recent = recentBlocks.get(E) ?? [];
  const same = (A: Tall, k: number): boolean => A.rows === rows && A.cols === cols[k];
  const match = recent.find((blocks) => blocks.length === cols.length && blocks.every(same));
  if (match) return match;
  const fresh = cols.map((count) => E.tall(rows, count));
  recentBlocks.set(E, [fresh, ...recent].slice(0, MOST_RECENT));
  return fresh;
}
