import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Matrix } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCsv } from "../src/csv.js";
import { type LoadOptions, loadMatrix, loadNumbers, loadOperator, saveMatrix } from "../src/load.js";

const IRIS = "sepal_length,sepal_width,petal_length,species\n5.1,3.5,1.4,setosa\n7.0,3.2,4.7,versicolor\n";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "expen-columns-"));
  await writeFile(join(folder, "iris.csv"), IRIS);
  await writeFile(join(folder, "rows.json"), '[[5.1, "setosa", 1.4], [7, "versicolor", 4.7]]');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const rows = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));

describe("columns beside texts", () => {
  test.each<[LoadOptions["columns"] & object, number[][]]>([
    [["sepal_length", "petal_length"], [[5.1, 1.4], [7, 4.7]]],
    [["petal_length", 1], [[1.4, 5.1], [4.7, 7]]],
    [["1-3"], [[5.1, 3.5, 1.4], [7, 3.2, 4.7]]],
    [[3, 3], [[1.4, 1.4], [4.7, 4.7]]],
  ])("%j of a table with a header", async (columns, wanted) => {
    const { matrix, notes } = await loadMatrix(at("iris.csv"), { columns });
    expect(rows(matrix)).toEqual(wanted);
    expect(notes[0]).toMatch(/line 1 is a header: sepal_length, /);
  }); // biome-ignore format: a case a line

  test("a table without a header, and one whose names are years", () => {
    const bare = IRIS.slice(IRIS.indexOf("\n") + 1);
    expect(rows(readCsv(bare, { columns: [1, 3] }).matrix)).toEqual([[5.1, 1.4], [7, 4.7]]); // biome-ignore format: rows
    expect(() => readCsv(bare, { columns: ["species"] })).toThrow(
      /columns is 'species', but the data have no names of columns/,
    );
    expect(rows(readCsv("country,2020,2021\nFR,1,2\n", { columns: ["2021"] }).matrix)).toEqual([[2]]);
  });

  test("JSON rows; formats without texts, dense, sparse and complex", async () => {
    expect(rows((await loadMatrix(at("rows.json"), { columns: [3, 1] })).matrix)).toEqual([[1.4, 5.1], [4.7, 7]]); // biome-ignore format: rows
    const M = gaussian(4, 5, random(1));
    for (const name of ["M.npy", "M.npz", "M.mtx", "M.json"]) {
      await saveMatrix(at(name), M);
      const { matrix } = await loadMatrix(at(name), { columns: ["2-3", 5] });
      expect(rows(matrix)).toEqual(rows(M).map((r) => [r[1], r[2], r[4]]));
    }
    await writeFile(at("S.mtx"), "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 5\n2 3 7\n1 2 9\n");
    const { matrix } = await loadOperator(at("S.mtx"), { columns: [3, 1] });
    expect(matrix).toMatchObject({ rows: 2, cols: 2, values: Float64Array.of(5, 7) });
    expect((await loadNumbers(at("M.npy"), { columns: [1] })).matrix).toMatchObject({ rows: 4, cols: 1 });
  });
});

describe("sentences", () => {
  test("a column of texts without a choice: its name, and how to choose", async () => {
    await expect(loadMatrix(at("iris.csv"))).rejects.toThrow(
      `line 2, column 4 has the text 'setosa' where a number is needed (the column is 'species'); correct it or leave the column out: columns: ["sepal_length", "sepal_width", "petal_length"], or --columns 1,2,3.`,
    );
  });

  test.each<[unknown, RegExp]>([
    [{ columns: ["petal_lenght"] }, /columns is 'petal_lenght'; did you mean 'petal_length'\? The columns are sepal_/],
    [{ columns: [5] }, /columns is 5; it must be numbers and ranges from 1 to 4, as in 1-4,7\.$/],
    [{ columns: [0] }, /columns is 0; .* from 1 to 4/],
    [{ columns: ["3-2"] }, /columns is '3-2'; /],
    [{ columns: "1-3" }, /columns is '1-3'; it must be a list of names and of numbers from 1/],
    [{ columns: [] }, /columns is an empty list/],
    [{ columns: ["species"] }, /column 4 has the text 'setosa' .*'species'/],
    [
      { column: [1] },
      /^loadMatrix: there is no option 'column'; did you mean 'columns'\? The options are array, columns, gaps, labels\.$/,
    ],
    [{ array: 3 }, /^loadMatrix: array is 3; it must be a text\.$/],
  ])("%j", async (options, sentence) => {
    await expect(loadMatrix(at("iris.csv"), options as LoadOptions)).rejects.toThrow(sentence);
  });
});
