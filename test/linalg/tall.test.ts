import { expect, test } from "vitest";
import { blockScratch, columnBlocks, fetcher, within } from "../../src/linalg/tall.js";
import { js as E } from "../functions.js";

test("within takes tall matrices and columns from the rows of its host, apart from each other, and new ones when it is used up", () => {
  const host = E.matrix(10, 3);
  const take = within(E, 3, host);
  const made = E.counters.matrices;
  const [A, r, B] = [take(4), take(7, 1), take(3)];
  expect(E.counters.matrices).toBe(made);
  expect([A, r, B].map(({ rows, cols }) => [rows, cols])).toEqual([
    [4, 3],
    [7, 1],
    [3, 3],
  ]);
  E.fill(A, 1);
  E.fill(r, 2);
  E.fill(B, 3);
  // seven numbers take three rows, of which two numbers stay free
  expect([...host.data]).toEqual([...Array(12).fill(1), ...Array(7).fill(2), 0, 0, ...Array(9).fill(3)]);
  expect([take(1, 1).rows, take(1).cols]).toEqual([1, 3]);
  expect(E.counters.matrices).toBe(made + 2);
});

test("the blocks of a column are those of a tall matrix", () => {
  const cut = { ...E, block: 12 };
  const scratch = blockScratch(cut, 20, 3, (rows) => E.matrix(rows, 3));
  const r = E.matrix(20, 1);
  const parts = columnBlocks(E, r, scratch);
  expect(parts.map(({ rows }) => rows)).toEqual(scratch.map(({ rows }) => rows));
  for (const [b, part] of parts.entries()) E.fill(part, b);
  expect([...r.data]).toEqual(scratch.flatMap(({ rows }, b) => Array(rows).fill(b)));
});

test("blocks are fetched where they are long, many and far away", () => {
  const fetched = (rows: number, cols: number, count: number): boolean =>
    fetcher(E, Array(count).fill({ rows, cols, data: new Float64Array() })) === E.fetch;
  expect(fetched(1000, 50, 100)).toBe(true);
  expect(fetched(1000, 50, 10)).toBe(false);
  expect(fetched(10_000, 10, 100)).toBe(false);
  expect(fetched(100_000, 50, 1)).toBe(false);
});
