import { asMatrix } from "@expen/linalg";
import { Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { jsonText, readJson } from "../src/json.js";
import { DataError } from "../src/loaded.js";

const six = Float64Array.of(1, 2, 3, 4, 5, 6);
const list = (source: unknown): number[] => Array.from(asMatrix(source).matrix.data);

describe("array-likes", () => {
  test("row-major Float64 is not copied", () => {
    for (const source of [
      { rows: 2, cols: 3, data: six },
      { data: six, shape: [2, 3] },
      { data: six, shape: [2, 3], stride: [3, 1], offset: 0 },
      { data: six, shape: [2, 3], strides: [3, 1] },
      { data: six, shape: [6], stride: [1] },
      { data: six, shape: [1, 6], strides: [99, 1] },
    ]) {
      expect(asMatrix(source).matrix.data).toBe(six);
    }
    const part = asMatrix({ data: six, shape: [2, 2], strides: [2, 1], offset: 1 }).matrix.data;
    expect([part.buffer === six.buffer, Array.from(part)]).toEqual([true, [2, 3, 4, 5]]);
  });

  test("strides are followed: transposed, reversed, every second column", () => {
    const { matrix, notes } = asMatrix({ data: six, shape: [3, 2], stride: [1, 3], offset: 0 });
    expect(Array.from(matrix.data)).toEqual([1, 4, 2, 5, 3, 6]);
    expect(notes).toEqual(["copied into row-major order"]);
    expect(list({ data: six, shape: [2, 3], strides: [-3, -1], offset: 5 })).toEqual([6, 5, 4, 3, 2, 1]);
    expect(list({ data: six, shape: [2, 2], strides: [3, 2] })).toEqual([1, 3, 4, 6]);
  });

  test("other number types are converted with a word", () => {
    expect(asMatrix({ data: Float32Array.of(1.5, 2), shape: [1, 2] })).toEqual({
      matrix: { rows: 1, cols: 2, data: Float64Array.of(1.5, 2) },
      notes: ["Float32Array converted to Float64Array"],
    });
    expect(list({ data: BigInt64Array.of(7n), shape: [1, 1] })).toEqual([7]);
    expect(list(new Ml([[1, 2], [3, 4]]))).toEqual([1, 2, 3, 4]); // biome-ignore format: rows
    expect(list([[1, 2], Float64Array.of(3, 4)])).toEqual([1, 2, 3, 4]);
    expect(asMatrix([1, 2, 3]).matrix).toEqual({ rows: 3, cols: 1, data: Float64Array.of(1, 2, 3) });
  });

  test.each([
    ["a text", "abc", /a matrix is needed, this is the string 'abc'; give an array of rows/],
    ["null", null, /null/],
    ["an empty object", {}, /\{rows, cols, data\}/],
    ["an empty array", [], /empty/],
    ["rows of two lengths", [[1, 2], [3]], /row 1 has 1 numbers, row 0 has 2/],
    ["a text inside", [[1, "2"]], /entry \(0, 1\) is "2"/],
    ["too few numbers", { rows: 2, cols: 4, data: six }, /2×4 need 8 numbers, there are 6/],
    ["strides outside", { data: six, shape: [2, 3], strides: [4, 1] }, /outside the 6 numbers/],
    ["strides of another rank", { data: six, shape: [2, 3], strides: [1] }, /strides 1 do not fit/],
    ["three dimensions", { data: six, shape: [1, 2, 3] }, /3 dimensions/],
    ["a negative size", { rows: -1, cols: 2, data: six }, /-1 and 2/],
    ["lazy data", { data: { get: () => 1, length: 6 }, shape: [2, 3] }, /no typed array/],
  ])("%s is refused in a sentence", (_, source, words) => {
    expect(() => asMatrix(source)).toThrow(DataError);
    expect(() => asMatrix(source)).toThrow(words);
  }); // biome-ignore format: one case a line
});

describe("JSON", () => {
  test("round trip; nested rows", () => {
    const M = { rows: 200, cols: 77, data: Float64Array.from({ length: 15400 }, (_, k) => Math.sin(k)) };
    expect(readJson([...jsonText(M)].join(""))).toEqual({ matrix: M, notes: [] });
    expect(readJson("[[1, 2], [3, 4.5]]").matrix).toEqual({ rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, 4.5) });
  });
  test("bad documents", () => {
    expect(() => readJson("[[1, 2], [3")).toThrow(/no whole JSON document/);
    expect(() => readJson("[[1, null]]")).toThrow(/entry \(0, 1\) is null/);
    expect(() => readJson('{"data": [1], "shape": [100000, 100000], "strides": [0, 0]}')).toThrow(/there are 1/);
    expect(() => readJson('{"data": [1], "shape": {"length": 1000000000000}}')).toThrow(/must be lists/);
    expect(() => readJson(`[[${"1,".repeat(99)}1]${",[]".repeat(99)}]`)).toThrow(/row 1 has 0 numbers, row 0 has 100/);
    expect(() => readJson(`[${"[".repeat(10_000)}${"]".repeat(10_000)}]`)).toThrow(/entry \(0, 0\) is a list/);
    expect(() => readJson('{"rows": 2, "cols": 2, "data": [1, 2, 3]}')).toThrow(/need 4 numbers, there are 3/);
    expect(() => [...jsonText({ rows: 1, cols: 1, data: Float64Array.of(Number.NaN) })]).toThrow(/save it as \.npy/);
  });
});
