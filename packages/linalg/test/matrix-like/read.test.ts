/** One matrix in every form in which people hold it, and a sentence with the place for what is none. */
import { isSparse, sparseToDense, sparseTranspose } from "@expen/linalg/arrays";
import { MatrixTransposeView, Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { DataError } from "../../src/matrix-like/data-error.js";
import { numericMatrix } from "../../src/matrix-like/numeric.js";
import { asMatrix, matricesOf, matrixOf, operatorOf, tableOf } from "../../src/matrix-like/read.js";
import type { MatrixLike } from "../../src/matrix-like/types.js";

/** [[1, 0, 2], [0, 3, 0]] */
const numbers = [1, 0, 2, 0, 3, 0];
const rows = [numbers.slice(0, 3), numbers.slice(3)];
const wanted = { rows: 2, cols: 3, data: Float64Array.from(numbers) };
const names = ["a", "b", "c"];

const dense: Record<string, MatrixLike> = {
  "rows of numbers": rows,
  "rows as typed arrays": rows.map((row) => Float32Array.from(row)),
  "row-major Float64": wanted,
  "row-major Float32": { ...wanted, data: Float32Array.from(numbers) },
  "row-major integers": { ...wanted, data: Int8Array.from(numbers) },
  "row-major list": { ...wanted, data: numbers },
  "64-bit integers": { ...wanted, data: BigInt64Array.from(numbers.map(BigInt)) },
  ndarray: { data: Float32Array.from(numbers), shape: [2, 3], stride: [3, 1], offset: 0 },
  "ndarray, by columns": { data: Float64Array.of(9, 1, 0, 0, 3, 2, 0), shape: [2, 3], strides: [1, 2], offset: 1 },
  "ml-matrix": new Ml(rows),
  "a view of ml-matrix": new MatrixTransposeView(new Ml(rows).transpose()) as unknown as MatrixLike,
  "an object with toArray": { toArray: () => rows },
  "an object with arraySync": { arraySync: () => rows },
};
const tables: Record<string, MatrixLike> = {
  records: rows.map(([a, b, c]) => ({ a, b, c })),
  "columns by name": { a: [1, 0], b: Int16Array.of(0, 3), c: [2, 0] },
  "names beside rows": { columns: names, data: rows } as unknown as MatrixLike,
  "rows with a property columns": Object.assign([...rows], { columns: names }),
  "a matrix with names": { ...wanted, names },
};
const triplets = { values: [1, 2, 1, 2], i: [0, 0, 1, 1], j: [0, 2, 1, 1] };
const sparse: Record<string, MatrixLike> = {
  triplets: { rows: 2, cols: 3, ...triplets },
  "triplets, scipy": { shape: [2, 3], row: Int32Array.from(triplets.i), col: triplets.j, data: triplets.values },
  "compressed rows": { shape: [2, 3], indptr: [0, 2, 3], indices: [0, 2, 1], data: [1, 2, 3] },
  "compressed columns": { shape: [2, 3], indptr: [0, 1, 2, 3], indices: [0, 1, 0], data: [1, 3, 2], format: "csc" },
  "of lists": { rows: 2, cols: 3, pointers: [0, 2, 3], indices: [0, 2, 1], values: [1, 2, 3] } as unknown as MatrixLike,
  "mathjs, JSON": {
    mathjs: "SparseMatrix",
    values: [1, 3, 2],
    index: [0, 1, 0],
    ptr: [0, 1, 2, 3],
    size: [2, 3],
  } as unknown as MatrixLike,
};

describe("one matrix", () => {
  test.each(Object.entries({ ...dense, ...sparse }))("%s", (_, source) => {
    expect(asMatrix(source).matrix).toEqual(wanted);
    expect(matrixOf("f", "A", source)).toEqual(wanted);
    const A = operatorOf("f", "A", source);
    expect(isSparse(A) ? sparseToDense(A) : A).toEqual(wanted);
  });

  test.each(Object.entries(tables))("with names: %s", (_, source) => {
    expect(asMatrix(source).matrix).toEqual({ ...wanted, names });
    const chosen = asMatrix(source, { columns: ["c", 1] }).matrix;
    expect(chosen).toEqual({ rows: 2, cols: 2, data: Float64Array.of(2, 1, 0, 0), names: ["c", "a"] });
  });

  test("sparse matrices stay sparse where they may, ours without a copy", () => {
    for (const source of Object.values(sparse)) expect(isSparse(operatorOf("f", "A", source))).toBe(true);
    const A = operatorOf("f", "A", sparse.triplets);
    expect(operatorOf("f", "A", A)).toBe(A);
    if (!isSparse(A)) throw new Error("dense");
    const T = sparseTranspose(A);
    const columns = { shape: [2, 3], indptr: T.pointers, indices: T.indices, data: T.values, format: "csc" as const };
    expect(operatorOf("f", "A", columns)).toEqual(A);
  });

  test("Float64 numbers in order are used as they are", () => {
    expect(matrixOf("f", "A", wanted)).toBe(wanted);
    expect(asMatrix(wanted).matrix.data).toBe(wanted.data);
  });

  test("a list of matrices", () => {
    expect(matricesOf("f", [rows, wanted])).toEqual([wanted, wanted]);
    expect(() => matricesOf("f", 5)).toThrow("f: the list of matrices is 5; give an array of them.");
    expect(() => matricesOf("f", [rows, 5])).toThrow(/^f: matrix 2: a matrix is needed, this is 5;/);
  });
});

describe("records", () => {
  const flowers = [
    { species: "setosa", sepal: 5.1, petal: 1.4 },
    { species: "virginica", sepal: 6.3, petal: 6 },
  ];
  test("the chosen columns, beside texts", () => {
    expect(asMatrix(flowers, { columns: ["petal", "sepal"] }).matrix).toEqual({
      rows: 2,
      cols: 2,
      data: Float64Array.of(1.4, 5.1, 6, 6.3),
      names: ["petal", "sepal"],
    });
  });
  test("a column of words is named, with a choice of the others", () => {
    expect(() => tableOf("pca", "A", flowers)).toThrow(
      `pca: A: 'species' of row 0 is "setosa"; leave the column out: columns: ["sepal", "petal"].`,
    );
  });
  test("a name that is near", () => {
    expect(() => asMatrix(flowers, { columns: ["sepla"] })).toThrow(/columns is 'sepla'; did you mean 'sepal'\?/);
  });
});

describe("gaps", () => {
  const holes = [[1, 2], [null, 3], [Number.NaN, 4], [5, 6]] as unknown as number[][]; // biome-ignore format: rows
  const records = holes.map(([a, b]) => ({ a, b }));
  test("null is refused with its place, and so is NaN if asked", () => {
    expect(() => asMatrix(holes)).toThrow(
      'entry (1, 0) is null; fill it in, or leave such rows out with { gaps: "drop" }.',
    );
    expect(() => asMatrix(records)).toThrow(/^'a' of row 1 is null; fill it in/);
    expect(() => asMatrix(holes.toSpliced(1, 1), { gaps: "refuse" })).toThrow(/^entry \(1, 0\) is NaN; fill it in/);
  });
  test.each([["rows", holes], ["records", records], ["a matrix", { rows: 4, cols: 2, data: Float64Array.of(1, 2, NaN, 3, NaN, 4, 5, 6) }]])("%s: rows are left out, or NaN", (_, source) => {
    const { matrix, notes } = asMatrix(source, { gaps: "drop" });
    expect([matrix.rows, Array.from(matrix.data)]).toEqual([2, [1, 2, 5, 6]]);
    expect(notes).toEqual(["2 of 4 rows have gaps and were left out"]);
    expect(Array.from(asMatrix(source, { gaps: "nan" }).matrix.data)).toEqual([1, 2, NaN, 3, NaN, 4, 5, 6]);
  }); // biome-ignore format: a case a line
  test("a column that is not read may have them", () => {
    expect(asMatrix(records, { columns: ["b"], gaps: "drop" }).matrix.rows).toBe(4);
    expect(() => asMatrix([[null]], { gaps: "drop" })).toThrow(/every row has a gap/);
  });
});

test.each([
  ["a promise", Promise.resolve(rows), /this is a promise; await it before/],
  ["a text", "1,2", /this is the string '1,2'/],
  ["a function", () => rows, /this is a function/],
  ["texts of numbers", [["1", "2"]], /entry \(0, 0\) is "1"; it is a text, convert it with Number/],
  ["texts of numbers in records", [{ a: "1" }], /'a' of row 0 is "1"; it is a text, convert it with Number/],
  ["complex numbers", [[{ re: 1, im: 2 }]], /entry \(0, 0\) is an object; it is complex/],
  ["rows of two lengths", [[1, 2], [3]], /row 1 has 1 numbers, row 0 has 2/],
  ["records and a row", [{ a: 1 }, [2]], /row 1 is a list; row 0 is a record/],
  ["records without keys", [{}], /row 0 is a record without columns/],
  ["a key that is missing", [{ a: 1 }, { b: 2 }], /'a' of row 1 is undefined; fill it in/],
  ["columns of two lengths", { a: [1], b: [1, 2] }, /column 'b' has 2 numbers, column 'a' has 1/],
  ["names of another number", { ...wanted, names: ["a"] }, /names must be a list of 3 texts/],
  ["a square matrix of no form", { shape: [1, 1], indptr: [0, 1], indices: [0], data: [1] }, /give format: "csr"/],
  ["an unknown form", { shape: [1, 1], indptr: [0, 1], indices: [0], data: [1], format: "bsr" }, /format is "bsr"/],
  ["pointers of another size", { shape: [2, 3], indptr: [0, 1], indices: [0], data: [1] }, /there are 2/],
  ["pointers that fall", { shape: [2, 3], indptr: [0, 2, 1], indices: [0], data: [1] }, /pointer 2 .* below the one before/],
  ["an index outside", { shape: [2, 3], indptr: [0, 1, 1], indices: [3], data: [1] }, /index 0 .* is 3; it must be 0 … 2/],
  ["too few values", { shape: [2, 3], indptr: [0, 1, 1], indices: [0], data: [] }, /1 indices and 0 values/],
  ["a triplet outside", { rows: 2, cols: 3, i: [2], j: [0], values: [1] }, /row index 2 of entry 0 is outside 0 … 1/],
  ["triplets without sizes", { i: [0], j: [0], values: [1] }, /give shape: \[rows, columns\]/],
])("%s: one sentence", (_, source, sentence) => {
  expect(() => asMatrix(source)).toThrow(DataError);
  expect(() => asMatrix(source)).toThrow(sentence);
  expect(() => matrixOf("pca", "A", source as never)).toThrow(/^pca: A: .*[.]$/);
}); // biome-ignore format: a case a line

describe("numbers alone", () => {
  const numeric = Object.entries(dense).filter(([name]) => /rows|row-major|integers/.test(name));
  test.each(numeric)("%s", (_, source) => {
    const { rows: m, cols, data } = numericMatrix(source);
    expect({ rows: m, cols, data }).toEqual(wanted);
  });
  test.each([
    ["records", [{ a: 1 }], /this is an array; give an array of rows, {rows, cols, data} or asMatrix/],
    ["nothing", undefined, /a matrix is needed, this is undefined; give an array of rows/],
    ["a promise", Promise.resolve(rows), /await it before/],
    ["too few numbers", { rows: 2, cols: 2, data: [1] }, /2×2 need 4 numbers, there are 1/],
    ["a text", [["x"]], /entry \(0, 0\) is "x"/],
    ["rows of two lengths", [[1], [1, 2]], /row 1 has 2 numbers, row 0 has 1/],
  ])("%s: one sentence", (_, source, sentence) => {
    expect(() => numericMatrix(source)).toThrow(DataError);
    expect(() => numericMatrix(source)).toThrow(sentence);
  });
});
