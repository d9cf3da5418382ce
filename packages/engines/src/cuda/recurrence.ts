/**
 * Z ← T⁻¹·X for a tridiagonal T = L·U (arrays/tridiagonal.ts), on many threads. Each factor is a recurrence over the rows,
 *
 *     z_i = s_i·x_i + c_i·z_{i−1},
 *
 * forwards with s = 1 and c_i = −l_i, backwards with s_i = w_i and c_i = −w_i·u_i. Rows are cut into pieces of m. The end of a
 * piece is affine in the end of the one before, with factor Π c_i: a recurrence again, m times shorter, solved in the same way; then
 * every piece runs from where the one before ends.
 */
import type { Diagonals } from "@expen/linalg/arrays";
import type { Device } from "./device.js";
import { address, type Launcher } from "./launcher.js";
import type { Block, DeviceMemory } from "./memory.js";

/** Rows of a piece: of one column, a line of the cache */
const PIECE = 16;

interface Level {
  readonly rows: number;
  readonly s: Block;
  readonly c: Block;
}

export interface Recurrences {
  solve(Z: { readonly at: number }, X: { readonly at: number }, p: number): void;
}

export function recurrences(
  device: Device,
  memory: DeviceMemory,
  launch: Launcher,
  { lower, main, upper }: Diagonals,
): Recurrences {
  const n = main.length;
  const upload = (numbers: Float64Array): Block => {
    const block = memory.block(numbers.byteLength, `operator: no memory for the factors of a ${n}×${n} matrix`);
    device.upload(block.at, numbers);
    return block;
  };
  const forwards = levels(
    new Float64Array(n).fill(1),
    lower.map((l) => -l),
  );
  const backwards = levels(main.slice().reverse(), main.map((w, i) => (i < n - 1 ? -w * upper[i]! : 0)).reverse());
  /** by columns: the ends of the pieces, before and after */
  const scratch = new Map<number, { ends: Block; before: Block }[]>();

  /** The coefficients of the rows, of the pieces, of pieces of pieces, … until one piece is left */
  function levels(s: Float64Array, c: Float64Array): Level[] {
    const list: Level[] = [{ rows: c.length, s: upload(s), c: upload(c) }];
    while (c.length > PIECE) {
      const next = new Float64Array(Math.ceil(c.length / PIECE)).fill(1);
      for (let i = 0; i < c.length; i++) next[Math.floor(i / PIECE)]! *= c[i]!;
      c = next;
      list.push({ rows: c.length, s: upload(new Float64Array(c.length).fill(1)), c: upload(c) });
    }
    return list;
  }

  function scratchFor(p: number): { ends: Block; before: Block }[] {
    let borders = scratch.get(p);
    if (!borders) {
      const block = (rows: number): Block =>
        memory.block(8 * rows * p, `operator: no memory to solve with a ${n}×${n} matrix`);
      borders = forwards.slice(1).map(({ rows }) => ({ ends: block(rows), before: block(rows) }));
      scratch.set(p, borders);
    }
    return borders;
  }

  function run(
    list: readonly Level[],
    at: number,
    z: { at: number },
    x: { at: number },
    p: number,
    step: bigint,
  ): void {
    const { rows, s, c } = list[at]!;
    const pieces = Math.ceil(rows / PIECE);
    const start = [BigInt(rows), BigInt(p), BigInt(PIECE), step, address(s), address(c), address(x)] as const;
    let before = x;
    if (pieces > 1) {
      const level = scratchFor(p)[at]!;
      launch.each("ends", pieces * p, [...start, address(level.ends)]);
      run(list, at + 1, level.before, level.ends, p, 1n);
      before = level.before;
    }
    launch.each("sweep", pieces * p, [...start, address(before), address(z)]);
  }

  return {
    solve(Z, X, p) {
      run(forwards, 0, Z, X, p, 1n);
      run(backwards, 0, Z, Z, p, -1n);
    },
  };
}
