/** Kernels of WebAssembly on matrices outside of its memory: copies of one tile after another in a stage inside. */
import type { Kernels, Memory, Owned } from "@expen/linalg/engine";

/** Numbers of a tile: 64 kB, so that the tiles of an operation stay in the L2 cache and a call takes little of the time. */
const TILE = 8192;
/** Number of tiles, and so of matrices of an operation */
const TILES = 16;
/** Smallest number of rows of a tile: a product with a tridiagonal matrix needs each row with its two neighbours. */
const LEAST_ROWS = 4;

export interface Stage {
  readonly kernels: Partial<Kernels>;
  /** whether each of these matrices gets a tile, and a tile holds enough of its rows */
  fits(matrices: readonly Owned[]): boolean;
}

/** A matrix of an operation. A unit is a row, or an entry; `width`: entries in a unit. */
interface Operand {
  readonly A: Owned;
  readonly width: number;
  readonly reads: boolean;
  readonly writes: boolean;
}

const read = (A: Owned, width = 1): Operand => ({ A, width, reads: true, writes: false });
const write = (A: Owned, reads: boolean, width = 1): Operand => ({ A, width, reads, writes: true });

/** A tile as a kernel sees it: kernels read the address alone. */
type View = Owned & { at: number };

export function stage(fast: Kernels, memory: Memory, tile: number = TILE): Stage {
  const owner = {};
  const tiles = Array.from({ length: TILES }, () => memory.allocate(1, tile, owner, "small"));

  /**
   * Calls `work` for each tile of `units`, with the part of each matrix there: in place inside the memory, as a copy outside of it.
   * `halo`: units that a tile shares with each of its neighbours; they are read and not written back.
   */
  function through(
    units: number,
    operands: readonly Operand[],
    work: (count: number, views: readonly Owned[]) => void,
    halo = 0,
  ): void {
    let count = 0;
    const distinct = [...new Set(operands.map(({ A }) => A))].map((A) => {
      const uses = operands.filter((o) => o.A === A);
      const writes = uses.some((o) => o.writes);
      // with a halo, results are copied too, as the next tile reads the old entries
      const isCopied = A.at === 0 || (writes && halo > 0);
      const tile = isCopied ? tiles[count++] : undefined;
      return { A, width: uses[0]!.width, reads: uses.some((o) => o.reads), writes, tile, at: 0 };
    });
    const views = operands.map((o) => distinct.find(({ A }) => A === o.A) as unknown as View);
    const most = Math.floor(tile / Math.max(...operands.map(({ width }) => width)));
    for (let from = 0; from < units; ) {
      const first = Math.max(0, from - halo);
      const last = Math.min(units, first + most);
      for (const d of distinct) {
        d.at = d.tile?.at ?? d.A.at + 8 * first * d.width;
        if (d.tile && d.reads) d.tile.data.set(d.A.data.subarray(first * d.width, last * d.width));
      }
      work(last - first, views);
      const to = last === units ? last : last - halo;
      for (const { A, width, tile, writes } of distinct) {
        if (!writes || !tile) continue;
        A.data.set(tile.data.subarray((from - first) * width, (to - first) * width), from * width);
      }
      from = to;
    }
  }

  const kernels: Partial<Kernels> = {
    dot(size, X, Y) {
      let sum = 0;
      through(size, [read(X), read(Y)], (count, [x, y]) => (sum += fast.dot(count, x!, y!)));
      return sum;
    },
    dots(size, count, Xs, Y, r) {
      const part = new Float64Array(count);
      r.fill(0, 0, count);
      through(size, [read(Y), ...Xs.slice(0, count).map((X) => read(X))], (numbers, [y, ...xs]) => {
        fast.dots(numbers, count, xs, y!, part);
        for (let l = 0; l < count; l++) r[l]! += part[l]!;
      });
    },
    axpby(size, a, X, b, Y) {
      through(size, [read(X), write(Y, b !== 0)], (count, [x, y]) => fast.axpby(count, a, x!, b, y!));
    },
    combine(size, a, X, b, Y, Z) {
      through(size, [read(X), read(Y), write(Z, false)], (count, [x, y, z]) => fast.combine(count, a, x!, b, y!, z!));
    },
    combination(size, count, c, Xs, b, Z) {
      const operands = [write(Z, b !== 0), ...Xs.slice(0, count).map((X) => read(X))];
      through(size, operands, (numbers, [z, ...xs]) => fast.combination(numbers, count, c, xs, b, z!));
    },
    map(size, chain, inputs, outputs) {
      let sum = 0;
      const operands = [...inputs.map((X) => read(X)), ...outputs.map((Y) => write(Y, false))];
      through(size, operands, (count, views) => {
        sum += fast.map(count, chain, views.slice(0, inputs.length), views.slice(inputs.length));
      });
      return sum;
    },
    rowDots(n, p, X, Y, r) {
      through(n, [read(X, p), read(Y, p), write(r, false)], (rows, [x, y, d]) => fast.rowDots(rows, p, x!, y!, d!));
    },
    scaleRows(n, p, a, r, X, b, Y) {
      through(n, [read(r), read(X, p), write(Y, b !== 0, p)], (rows, [d, x, y]) =>
        fast.scaleRows(rows, p, a, d!, x!, b, y!),
      );
    },
    tridiagonal(n, p, a, lower, main, upper, X, b, Y) {
      const operands = [read(lower), read(main), read(upper), read(X, p), write(Y, b !== 0, p)];
      const work = (rows: number, [l, d, u, x, y]: readonly Owned[]): void =>
        fast.tridiagonal(rows, p, a, l!, d!, u!, x!, b, y!);
      through(n, operands, work, 1);
    },
  };
  return {
    kernels,
    fits: (matrices) => matrices.length <= TILES && matrices.every(({ cols }) => LEAST_ROWS * cols <= tile),
  };
}
