import { expect, test } from "vitest";
import { isNearlySymmetric, sizesOf } from "../../src/arrays/symmetric.js";
import { random } from "../../src/random.js";

const { normal } = random(1, "sizes");
const drawn = (n: number): Float64Array => Float64Array.from({ length: n * n }, normal);

test.each([0, 1, 2, 31, 32, 33, 70])("the sizes of an n×n matrix, as they are defined, n = %i", (n) => {
  const a = drawn(n);
  const all = Array.from({ length: n * n }, (_, k) => [Math.floor(k / n), k % n] as const);
  const { largest, difference, rowSum } = sizesOf(a, n);
  expect(largest).toBe(Math.max(0, ...a.map(Math.abs)));
  expect(difference).toBe(Math.max(0, ...all.map(([i, j]) => Math.abs(a[i * n + j]! - a[j * n + i]!))));
  const sums = Array.from({ length: n }, (_, i) => a.subarray(i * n, (i + 1) * n).reduce((s, v) => s + Math.abs(v), 0));
  expect(rowSum).toBeCloseTo(Math.max(0, ...sums), 10);
});

test("nearly symmetric: up to a share of the largest entry; never with NaN, infinity or other sides", () => {
  const n = 40;
  const a = drawn(n);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i]!;
  const nearly = (data: Float64Array, relative = 1e-9): boolean =>
    isNearlySymmetric({ rows: n, cols: n, data }, relative);
  const { largest } = sizesOf(a, n);
  expect(nearly(a, 0)).toBe(true);
  expect(isNearlySymmetric({ rows: 20, cols: 80, data: a }, 1)).toBe(false);
  for (const at of [5 * n + 33, 33 * n + 5]) {
    const off = a.slice();
    off[at]! += 0.9e-9 * largest;
    expect([nearly(off), nearly(off, 1e-10)]).toEqual([true, false]);
  }
  // above, below and on the diagonal, and in both of a pair
  for (const places of [[3], [3 * n], [7 * (n + 1)], [3, 3 * n]]) {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const data = a.slice();
      for (const k of places) data[k] = odd;
      expect(nearly(data)).toBe(false);
    }
  }
});
