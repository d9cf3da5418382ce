import type { Engine, Matrix, Tall } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";

/** Numbers in a block: a quarter of a megabyte, which stays in a processor's cache. */
const NUMBERS = 2 ** 15;

/**
 * Calls for block after block with the first row of each and how many rows of the data it holds; where it has more, those are zeros. The
 * blocks, one of each matrix, are good until the next: an engine that cannot read the data where they lie overwrites them.
 */
export type RowBlocks = (visit: (blocks: readonly Tall[], from: number, count: number) => void) => void;

/**
 * Rows of plain matrices of as many rows through small tall ones: no copy of the data is made, whose first touch of fresh memory
 * takes longer than a product with it. `change` is done to the numbers of every block on the way.
 */
export function rowBlocks(
  E: Engine,
  matrices: readonly Matrix[],
  change?: (numbers: Float64Array) => void,
  numbers = NUMBERS,
): RowBlocks {
  const m = matrices[0]!.rows;
  const widest = Math.max(...matrices.map(({ cols }) => cols));
  // of one height
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

/** Numbers in a block of which four more are made on the way */
const FEWER = NUMBERS / 4;

/** Rows that are gone through again and again: in blocks where the engine works on them where they lie, else as matrices of the engine */
export function heldRows(E: Engine, matrices: readonly Matrix[]): RowBlocks {
  if (E.host) return rowBlocks(E, matrices, undefined, FEWER);
  const whole = matrices.map((A) => tallOf(E, A));
  return (visit) => visit(whole, 0, whole[0]!.rows);
}

/** Each block in a matrix of its own of that height, the last one with a few rows of zeros */
function copying(E: Engine, matrices: readonly Matrix[], height: number, change?: (numbers: Float64Array) => void) {
  const kept = keptBlocks(
    E,
    height,
    matrices.map(({ cols }) => cols),
  );
  const copy = new Float64Array(height * Math.max(...kept.map(({ cols }) => cols)));
  return ({ rows, cols, data }: Matrix, k: number): Tall => {
    let numbers = data;
    if (change || rows < height) {
      copy.set(data);
      change?.(copy.subarray(0, data.length));
      numbers = copy.subarray(0, height * cols).fill(0, rows * cols);
    }
    E.write(kept[k]!, numbers);
    return kept[k]!;
  };
}

/** Blocks of each engine that were used last: whoever asks for the same again finds them in the cache of the processor. */
const keptOf = new WeakMap<Engine, (readonly Tall[])[]>();
const MOST_KEPT = 4;

/** Scratch of that many rows, whose numbers are those of whoever had it before */
export function keptBlocks(E: Engine, rows: number, cols: readonly number[]): readonly Tall[] {
  const kept = keptOf.get(E) ?? [];
  const same = (A: Tall, k: number): boolean => A.rows === rows && A.cols === cols[k];
  let found = kept.find((blocks) => blocks.length === cols.length && blocks.every(same));
  if (found) return found;
  found = cols.map((count) => E.tall(rows, count));
  keptOf.set(E, [found, ...kept].slice(0, MOST_KEPT));
  return found;
}
