import type { Engine, Matrix } from "../types.js";

/** Blocks of rows of a matrix from top to bottom: what goes through several operations does so block by block, in cache. */
export interface Blocks {
  readonly blocks: readonly Matrix[];
}

/** An n×p matrix and its blocks */
export interface Tall extends Blocks {
  readonly whole: Matrix;
}

export function tall(E: Engine, n: number, p: number): Tall {
  const whole = E.matrix(n, p);
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

/** Makes matrices of p columns in the rows of `host`, which nobody else uses meanwhile, and new ones when its rows are used up. */
export function within(E: Engine, p: number, host?: Matrix): (rows: number) => Matrix {
  let used = 0;
  return (rows) => {
    if (!host || used + rows > host.rows) return E.matrix(rows, p);
    used += rows;
    return E.rows(host, used - rows, rows);
  };
}
