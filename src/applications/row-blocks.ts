import type { Engine, Matrix, Tall } from "../types.js";

/** Numbers in a block: a quarter of a megabyte, which stays in a processor's cache. */
const NUMBERS = 2 ** 15;

/**
 * Calls for block after block with the first row of each and how many rows of the data it holds; rows after those are zeros. The blocks,
 * one of each matrix, are overwritten by the next.
 */
export type RowBlocks = (visit: (blocks: readonly Tall[], from: number, count: number) => void) => void;

/**
 * Rows of plain matrices of as many rows through small tall ones: no copy of the data is made, whose first touch of fresh memory
 * takes longer than a product with it. `change` is done to the numbers of every block on the way.
 */
export function rowBlocks(E: Engine, matrices: readonly Matrix[], change?: (numbers: Float64Array) => void): RowBlocks {
  const m = matrices[0]!.rows;
  const widest = Math.max(...matrices.map(({ cols }) => cols));
  // of one height, the last one with a few rows of zeros
  const height = Math.ceil(m / Math.ceil((m * widest) / NUMBERS));
  const blocks = keptBlocks(
    E,
    height,
    matrices.map(({ cols }) => cols),
  );
  const copy = new Float64Array(height * widest);
  return (visit) => {
    for (let from = 0; from < m; from += height) {
      const count = Math.min(height, m - from);
      matrices.forEach(({ cols, data }, k) => {
        let numbers = data.subarray(from * cols, (from + count) * cols);
        if (change || count < height) {
          copy.set(numbers);
          change?.(copy.subarray(0, numbers.length));
          numbers = copy.subarray(0, height * cols).fill(0, count * cols);
        }
        E.write(blocks[k]!, numbers);
      });
      visit(blocks, from, count);
    }
  };
}

/** The last blocks of each engine: whoever asks for the same again finds them in the cache of the processor. */
const kept = new WeakMap<Engine, readonly Tall[]>();

function keptBlocks(E: Engine, rows: number, cols: readonly number[]): readonly Tall[] {
  const last = kept.get(E);
  if (last?.length === cols.length && last.every((A, k) => A.rows === rows && A.cols === cols[k])) return last;
  const made = cols.map((count) => E.tall(rows, count));
  kept.set(E, made);
  return made;
}
