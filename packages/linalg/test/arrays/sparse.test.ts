import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  sparseApply,
  sparseFromTriplets,
  sparseIsSymmetric,
  sparseSymmetricPart,
  sparseToDense,
  sparseTranspose,
} from "../../src/arrays/sparse.js";
import { jsEngine } from "../../src/engine/js.js";
import { tallOf } from "../../src/engine/own-matrix.js";
import { gaussian, plain, plainTranspose } from "../../src/instances.js";
import { random } from "../../src/random.js";

const triplets = fc
  .record({ rows: fc.integer({ min: 1, max: 9 }), cols: fc.integer({ min: 1, max: 9 }) })
  .chain(({ rows, cols }) =>
    fc.record({
      rows: fc.constant(rows),
      cols: fc.constant(cols),
      entries: fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: rows - 1 }),
          fc.integer({ min: 0, max: cols - 1 }),
          fc.integer({ min: -9, max: 9 }),
        ),
        { maxLength: 40 },
      ),
    }),
  );

describe("sparse matrices", () => {
  test("triplets, transpose and product equal the dense ones; duplicates are summed; columns ascend", () => {
    fc.assert(
      fc.property(triplets, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 99 }), ({ rows, cols, entries }, p, seed) => {
        const A = sparseFromTriplets(rows, cols, entries.map((t) => t[0]), entries.map((t) => t[1]), entries.map((t) => t[2]));
        const D = plain(rows, cols);
        for (const [i, j, v] of entries) D.data[i * cols + j]! += v;
        expect(sparseToDense(A)).toEqual(D);
        expect(sparseToDense(sparseTranspose(A))).toEqual(plainTranspose(D));
        for (let i = 0; i < rows; i++) {
          const row = A.indices.subarray(A.pointers[i]!, A.pointers[i + 1]!);
          for (let k = 1; k < row.length; k++) expect(row[k]).toBeGreaterThan(row[k - 1]!);
        }
        const E = jsEngine();
        const X = tallOf(E, gaussian(cols, p, random(seed, "X")));
        const [Y, Z] = [E.tall(rows, p), E.tall(rows, p)];
        E.fill(Y, Number.NaN);
        for (const b of [0, 1, -0.5]) {
          sparseApply(Y, A, X, 1.5, b);
          E.operator(D).apply(Z, X, 1.5, b);
          expect(Math.max(0, ...Y.data.map((v, k) => Math.abs(v - Z.data[k]!)))).toBeLessThan(1e-12);
        }
        const symmetric = rows === cols && D.data.every((v, k) => v === D.data[(k % cols) * cols + Math.floor(k / cols)]);
        expect(sparseIsSymmetric(A)).toBe(symmetric);
      }),
      { seed: 1, numRuns: 200 },
    );
  }); // biome-ignore format: long lines read better here

  test("symmetry up to a tolerance; a stored zero equals an absent entry", () => {
    const near = sparseFromTriplets(2, 2, [0, 1], [1, 0], [1, 1 + 1e-13]);
    expect([sparseIsSymmetric(near), sparseIsSymmetric(near, 1e-12)]).toEqual([false, true]);
    expect(sparseIsSymmetric(sparseFromTriplets(2, 2, [0, 0], [0, 1], [5, 0]))).toBe(true);
    expect(sparseIsSymmetric(sparseFromTriplets(2, 2, [0], [1], [Number.NaN]))).toBe(false);
  });

  test("the symmetric part, also of entries that are stored on one side only", () => {
    const A = sparseFromTriplets(3, 3, [0, 1, 2, 2], [0, 0, 0, 1], [5, 3, -2, 8]);
    const S = sparseSymmetricPart(A);
    expect(sparseIsSymmetric(S)).toBe(true);
    expect([...sparseToDense(S).data]).toEqual([5, 1.5, -1, 1.5, 0, 4, -1, 4, 0]);
  });

  test("bad input is one sentence", () => {
    expect(() => sparseFromTriplets(2, 2, [2], [0], [1])).toThrow(/row index 2 of entry 0 is outside 0 … 1/);
    expect(() => sparseFromTriplets(2, 2, [0], [-1], [1])).toThrow(/column index -1/);
    expect(() => sparseFromTriplets(2, 2, [0, 1], [0], [1])).toThrow(/2 row indices/);
    expect(() => (sparseFromTriplets as (...given: unknown[]) => unknown)(2, 2, [[0, 0, 1]])).toThrow(
      /0 values; .* array of its own/,
    );
    const A = sparseFromTriplets(2, 3, [], [], []);
    expect(() => sparseApply(plain(2, 1), A, plain(2, 1))).toThrow(/2×3 times 2×1/);
    const X = plain(2, 2);
    expect(() => sparseApply(X, sparseFromTriplets(2, 2, [], [], []), X)).toThrow(/destination/);
  });
});
