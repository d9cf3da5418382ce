import type { Engine, Matrix, Tall } from "../types.js";

/** Numbers in a block: a quarter of a megabyte, which stays in a processor's cache. */
const NUMBERS = 2 ** 15;

/** Calls for block after block with the first row of each; the blocks, one of each matrix, are overwritten by the next. */
export type RowBlocks = (visit: (blocks: readonly Tall[], from: number) => void) => void;

/**
 * Rows of plain matrices of as many rows through small tall ones: no copy of the data is made, whose first touch of fresh memory
 * takes longer than a product with it. `change` is done to the numbers of every block on the way.
 */
export function rowBlocks(E: Engine, matrices: readonly Matrix[], change?: (numbers: Float64Array) => void): RowBlocks {
  const m = matrices[0]!.rows;
  const widest = Math.max(...matrices.map(({ cols }) => cols));
  const height = Math.max(1, Math.min(m, Math.floor(NUMBERS / widest)));
  const talls = (rows: number): Tall[] => matrices.map(({ cols }) => E.tall(rows, cols));
  const [full, rest] = [talls(height), talls(m % height)];
  const copy = new Float64Array(change ? height * widest : 0);
  return (visit) => {
    for (let from = 0; from < m; from += height) {
      const count = Math.min(height, m - from);
      const blocks = count === height ? full : rest;
      matrices.forEach(({ cols, data }, k) => {
        let numbers = data.subarray(from * cols, (from + count) * cols);
        if (change) {
          copy.set(numbers);
          change((numbers = copy.subarray(0, numbers.length)));
        }
        E.write(blocks[k]!, numbers);
      });
      visit(blocks, from);
    }
  };
}
