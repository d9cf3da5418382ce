import type { Matrix, Sparse } from "@expen/linalg";
import { isSparse, sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError } from "../src/loaded.js";
import { matrixMarketText, readMatrixMarket } from "../src/matrix-market.js";

const HEAD = "%%MatrixMarket matrix";
const rows = (text: string): number[][] => {
  const { matrix } = readMatrixMarket(text);
  const M = isSparse(matrix) ? sparseToDense(matrix) : matrix;
  return Array.from({ length: M.rows }, (_, i) => Array.from(M.data.subarray(i * M.cols, (i + 1) * M.cols)));
};
const again = (M: Matrix | Sparse): Matrix | Sparse => readMatrixMarket([...matrixMarketText(M)].join("")).matrix;

describe("Matrix Market", () => {
  test("array: column by column, general, symmetric, skew", () => {
    expect(rows(`${HEAD} array real general\n% note\n\n2 3\n1\n2\n3\n4\n5\n6\n`)).toEqual([
      [1, 3, 5],
      [2, 4, 6],
    ]);
    expect(rows(`${HEAD} array real symmetric\n3 3\n1 2 3\n4 5\n6\n`)).toEqual([
      [1, 2, 3],
      [2, 4, 5],
      [3, 5, 6],
    ]);
    expect(rows(`${HEAD} array integer skew-symmetric\n3 3\n1\n2\n3\n`)).toEqual([
      [0, -1, -2],
      [1, 0, -3],
      [2, 3, 0],
    ]);
  });

  test("coordinate: sparse, general with duplicates, symmetric, skew, pattern", () => {
    const { matrix, notes } = readMatrixMarket(`${HEAD} coordinate real symmetric\n3 3 3\n1 1 4\n3 1 -1.5e-3\n2 2 7\n`);
    expect(isSparse(matrix) && matrix.values.length).toBe(4);
    expect(notes).toEqual(["symmetric: the upper triangle is filled in"]);
    expect(rows(`${HEAD} coordinate real general\n2 2 3\n1 2 1\n1 2 2\n2 1 5\n`)).toEqual([
      [0, 3],
      [5, 0],
    ]);
    expect(rows(`${HEAD} coordinate real skew-symmetric\n2 2 1\n2 1 5\n`)).toEqual([
      [0, -5],
      [5, 0],
    ]);
    expect(rows(`%%matrixmarket MATRIX Coordinate Pattern Symmetric\n2 2 2\n2 1\n2 2\n`)).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  test("what is written is read", () => {
    const entry = fc.tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 0, max: 4 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.boolean(), (entries, symmetric) => {
        const apart = new Map(entries.map((e) => [symmetric ? [e[0], e[1]].sort().join() : `${e[0]},${e[1]}`, e]));
        const all = [...apart.values()].flatMap((e) =>
          symmetric && e[0] !== e[1] ? [e, [e[1], e[0], e[2]] as const] : [e],
        );
        const A = sparseFromTriplets(5, 5, all.map((e) => e[0]), all.map((e) => e[1]), all.map((e) => e[2] + 0 || 0));
        const text = [...matrixMarketText(A)].join("");
        if (symmetric) expect(text).toMatch(/^%%MatrixMarket matrix coordinate real symmetric\n/);
        expect(again(A)).toEqual(A);
        const D = sparseToDense(A);
        expect(again(D)).toEqual(D);
      }),
      { seed: 1 },
    ); // biome-ignore format: long lines read better here
  });

  test.each([
    ["another file", "1,2\n", /no Matrix Market file/],
    ["nothing", "", /empty/],
    ["complex", `${HEAD} coordinate complex general\n1 1 0\n`, /field 'complex' is not supported; it must be real/],
    ["hermitian", `${HEAD} coordinate real hermitian\n1 1 0\n`, /symmetry 'hermitian'/],
    ["array pattern", `${HEAD} array pattern general\n1 1\n`, /pattern/],
    ["no sizes", `${HEAD} array real general\n% only this\n`, /ends before the line with its sizes/],
    ["bad sizes", `${HEAD} array real general\n2 x\n`, /2 whole numbers; it is '2 x'/],
    ["not square", `${HEAD} array real symmetric\n2 3\n`, /must be square/],
    ["cut off, array", `${HEAD} array real general\n2 2\n1\n2\n3\n`, /cut off: 4 entries announced, 3 found/],
    ["cut off, coordinate", `${HEAD} coordinate real general\n2 2 2\n1 1 1\n`, /2 entries announced, 1 found/],
    ["more than the file, array", `${HEAD} array real general\n1000000000 1000\n1\n`, /bytes hold no more than/],
    ["more than the file", `${HEAD} coordinate real general\n9 9 1000000000\n1 1 1\n`, /hold no more than/],
    ["nearly empty", `${HEAD} coordinate real general\n1000000000 9 1\n1 1 1\n`, /1000000000×9 matrix of 1 entries/],
    ["sizes below 0", `${HEAD} coordinate real general\n-1 9 0\n`, /whole numbers; it is '-1 9 0'/],
    ["no number of entries", `${HEAD} coordinate real general\n9 9 NaN\n`, /whole numbers/],
    ["sizes beyond all", `${HEAD} array real general\n1e16 0\n`, /whole numbers/],
    ["too many", `${HEAD} coordinate real general\n2 2 1\n1 1 1\n1 2 1\n`, /line 4.*more than the 1/],
    ["too many, array", `${HEAD} array real general\n1 1\n1\n2\n`, /line 4.*more than the 1/],
    ["outside", `${HEAD} coordinate real general\n2 2 1\n3 1 1\n`, /line 3: place \(3, 1\) is outside/],
    ["counted from 0", `${HEAD} coordinate real general\n2 2 1\n0 1 1\n`, /place \(0, 1\)/],
    ["text", `${HEAD} coordinate real general\n2 2 1\n1 1 x\n`, /line 3 has 'x'/],
    ["no value", `${HEAD} coordinate real general\n2 2 1\n1 1\n`, /line 3 has 2 cells/],
    ["above the diagonal", `${HEAD} coordinate real symmetric\n2 2 1\n1 2 1\n`, /above the diagonal/],
    ["skew diagonal", `${HEAD} coordinate real skew-symmetric\n2 2 1\n1 1 1\n`, /no entries on its diagonal/],
  ])("%s is refused in a sentence", (_, text, words) => {
    expect(() => readMatrixMarket(text)).toThrow(DataError);
    expect(() => readMatrixMarket(text)).toThrow(words);
  });
});
