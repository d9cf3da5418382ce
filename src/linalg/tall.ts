import type { Engine, Matrix } from "../types.js";

/** Blocks of rows of a matrix from top to bottom: what goes through several operations does so block by block, in cache. */
export interface Blocks {
  readonly blocks: readonly Matrix[];
}

/** An n×p matrix and its blocks */
export interface Tall extends Blocks {
  readonly whole: Matrix;
}

export function tall(E: Engine, n: number, p: number, whole = E.matrix(n, p)): Tall {
  const height = blockRows(E, n, p);
  if (height >= n) return { whole, blocks: [whole] };
  const blocks: Matrix[] = [];
  for (let first = 0; first < n; first += height) blocks.push(E.rows(whole, first, Math.min(height, n - first)));
  return { whole, blocks };
}

/** Scratch of the size of one block, once for each block of a Tall: all lie in the same place, made by `take`. */
export function blockScratch(E: Engine, n: number, p: number, take: (rows: number) => Matrix): readonly Matrix[] {
  const height = Math.min(n, blockRows(E, n, p));
  const scratch = take(height);
  return Array.from({ length: Math.ceil(n / height) }, (_, i) => {
    const rows = Math.min(height, n - i * height);
    return rows === height ? scratch : E.rows(scratch, 0, rows);
  });
}

/** Equal blocks of about `E.block` numbers; flatter ones than p×p would make products with p×p matrices slow. */
function blockRows(E: Engine, n: number, p: number): number {
  const count = Math.max(1, Math.min(Math.ceil((n * p) / E.block), Math.floor(n / p)));
  return Math.ceil(n / count);
}

/** Numbers of a matrix from which blocks come from main memory rather than from the last cache. */
const FAR = 800_000;
/** Columns from which tiles are so far apart that memory does not foresee the next one. */
const LONG = 45;
const nothing = (): void => {};

/** Before a product with blocks, `scratch` as for the others: where it gains time `E.fetch`, otherwise nothing. */
export function fetcher(E: Engine, scratch: readonly Matrix[]): (A: Matrix) => void {
  const rows = scratch.reduce((sum, block) => sum + block.rows, 0);
  const cols = scratch[0]!.cols;
  return scratch.length > 1 && rows * cols >= FAR && cols >= LONG ? E.fetch : nothing;
}

/** Column r (n×1) cut as the blocks of a Tall whose scratch is given */
export function columnBlocks(E: Engine, r: Matrix, scratch: readonly Matrix[]): readonly Matrix[] {
  let first = 0;
  return scratch.map(({ rows }) => {
    first += rows;
    return E.rows(r, first - rows, rows);
  });
}

/**
 * Makes matrices of p columns, or of one, in the rows of `host` (of p columns), which nobody else uses meanwhile, and new ones when its
 * rows are used up.
 */
export function within(E: Engine, p: number, host?: Matrix): (rows: number, cols?: 1) => Matrix {
  let used = 0;
  return (rows, cols) => {
    const needed = cols ? Math.ceil(rows / p) : rows;
    if (!host || used + needed > host.rows) return E.matrix(rows, cols ?? p);
    used += needed;
    const part = E.rows(host, used - needed, needed);
    return cols ? E.rows(E.column(part), 0, rows) : part;
  };
}
