import { expect, test } from "vitest";
import { sparseFromTriplets, sparseIsSorted, sparseToDense } from "../../src/arrays/sparse.js";
import { sparseProduct } from "../../src/arrays/sparse-product.js";
import type { Sparse } from "../../src/contracts/matrix.js";
import { random } from "../../src/random.js";

/** Whole numbers, whose products are exact; a part of the rows is empty */
function scattered(rows: number, cols: number, entries: number, seed: number): Sparse {
  const { uniform } = random(seed, "scattered");
  const below = (size: number): Int32Array => Int32Array.from({ length: entries }, () => Math.floor(size * uniform()));
  return sparseFromTriplets(
    rows,
    cols,
    below(rows),
    below(cols),
    below(9).map((v) => v - 4),
  );
}

test.each([
  [7, 5, 6, 12],
  [30, 40, 20, 60],
  [1, 8, 9, 20],
  [12, 3, 12, 36],
  [5, 5, 5, 0],
])("A·B of %i×%i and %i columns is that of dense matrices, up to as many entries as it has", (m, k, n, entries) => {
  const [A, B] = [scattered(m, k, entries, 1), scattered(k, n, entries, 2)];
  const [a, b] = [sparseToDense(A).data, sparseToDense(B).data];
  const expected = Float64Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let l = 0; l < k; l++) sum += a[Math.floor(at / n) * k + l]! * b[l * n + (at % n)]!;
    return sum;
  });
  const product = sparseProduct(A, B, m * n)!;
  expect(sparseToDense(product).data).toEqual(expected);
  expect(sparseIsSorted(product)).toBe(true);
  const size = product.values.length;
  expect(sparseProduct(A, B, size)).toEqual(product);
  if (size > 0) expect(sparseProduct(A, B, size - 1)).toBeUndefined();
});

test("rows that are not sorted, and entries that stand twice", () => {
  const A: Sparse = {
    rows: 2,
    cols: 3,
    pointers: Int32Array.of(0, 3, 4),
    indices: Int32Array.of(2, 0, 2, 1),
    values: Float64Array.of(1, 2, 3, 4),
  };
  const B = sparseFromTriplets(3, 2, [0, 1, 2, 2], [1, 0, 0, 1], [1, 1, 10, 100]);
  expect(sparseToDense(sparseProduct(A, B, 4)!).data).toEqual(Float64Array.of(40, 402, 4, 0));
});
