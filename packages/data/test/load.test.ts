import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Matrix } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { isSparse, sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extensions, loadMatrix, loadOperator, saveMatrix } from "../src/load.js";
import { DataError } from "../src/loaded.js";
import { writeNpy } from "../src/npy.js";
import { writeNpz } from "../src/npz.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "expen-data-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const M = gaussian(37, 5, random(1));

const refused = async (work: Promise<unknown>, ...words: RegExp[]): Promise<void> => {
  const error = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DataError);
  for (const word of words) expect((error as Error).message).toMatch(word);
};

describe("files", () => {
  test.each(extensions)("%s: what is saved is loaded, bit by bit, and nothing else is left", async (ending) => {
    await saveMatrix(at(`M${ending}`), M);
    expect((await loadMatrix(at(`M${ending}`))).matrix).toEqual(M);
    expect((await readdir(folder)).filter((f) => f.includes("partial"))).toEqual([]);
  });

  test("an ending in capitals; a matrix that is a view", async () => {
    const part: Matrix = { rows: 2, cols: 5, data: M.data.subarray(5, 15) };
    await saveMatrix(at("PART.NPY"), part);
    expect(Array.from((await loadMatrix(at("PART.NPY"))).matrix.data)).toEqual(Array.from(part.data));
  });

  test("a file of several pieces: 5 million numbers", async () => {
    const big: Matrix = { rows: 5_000_001, cols: 1, data: Float64Array.from({ length: 5_000_001 }, (_, k) => k / 3) };
    await saveMatrix(at("big.npy"), big);
    const { matrix } = await loadMatrix(at("big.npy"));
    expect(matrix.rows).toBe(big.rows);
    expect(Buffer.from(matrix.data.buffer).equals(Buffer.from(big.data.buffer))).toBe(true);
    await rm(at("big.npy"));
  });

  test("sparse files stay sparse where asked for", async () => {
    const A = sparseFromTriplets(4, 4, [0, 1, 1, 3], [0, 0, 2, 3], [1, 2, 3, 4]);
    await saveMatrix(at("A.mtx"), A);
    const { matrix } = await loadOperator(at("A.mtx"));
    expect(isSparse(matrix) && matrix).toEqual(A);
    const loaded = await loadMatrix(at("A.mtx"));
    expect(loaded.matrix).toEqual(sparseToDense(A));
    expect(loaded.notes).toContain("a sparse matrix of 4 entries made dense");
  });

  test("one array of several", async () => {
    await writeFile(at("two.npz"), writeNpz({ a: M, b: gaussian(2, 2, random(2)) }));
    await refused(loadMatrix(at("two.npz")), /two\.npz: .*holds a, b; name one/);
    expect((await loadMatrix(at("two.npz"), { array: "a" })).matrix).toEqual(M);
  });

  test("missing files, unknown endings, folders, cut-off files name the file", async () => {
    await refused(loadMatrix(at("none.npy")), /none\.npy: there is no such file/);
    await refused(loadMatrix(at("none.csv")), /none\.csv: there is no such file/);
    await refused((async () => loadMatrix("data.xlsx"))(), /'\.xlsx' is unknown/, /\.npy, \.npz, \.csv/);
    await refused((async () => loadMatrix("data"))(), /no ending/);
    await mkdir(at("folder.csv"));
    await refused(loadMatrix(at("folder.csv")), /folder\.csv: this is a folder/);
    await writeFile(at("cut.npy"), writeNpy(M).slice(0, 500));
    await refused(loadMatrix(at("cut.npy")), /cut\.npy: the \.npy file is cut off: 37×5/);
    await writeFile(at("text.csv"), "1,2\n3,four\n");
    await refused(loadMatrix(at("text.csv")), /text\.csv: line 2, column 2 has the text 'four'/);
  });

  test("a failed save leaves the old file whole and no partial one", async () => {
    await saveMatrix(at("old.json"), M);
    const before = await readFile(at("old.json"));
    await refused(
      saveMatrix(at("old.json"), { rows: 1, cols: 1, data: Float64Array.of(Number.NaN) }),
      /old\.json: JSON has no NaN/,
    );
    expect(await readFile(at("old.json"))).toEqual(before);
    expect((await readdir(folder)).filter((f) => f.includes("partial"))).toEqual([]);
    await refused(saveMatrix(at("no/such/folder/X.npy"), M), /X\.npy: there is no such file or folder/);
  });

  test.skipIf(process.getuid?.() === 0)("a folder without permission", async () => {
    await mkdir(at("locked"));
    await chmod(at("locked"), 0o500);
    await refused(saveMatrix(at("locked/X.npy"), M), /permission is missing/);
  });

  test.skipIf(process.platform !== "linux")("a full disk", async () => {
    // every write to /dev/full fails with ENOSPC; the partial file is made a link to it
    const { symlink } = await import("node:fs/promises");
    await symlink("/dev/full", `${at("full.npy")}.${process.pid}.partial`);
    await refused(saveMatrix(at("full.npy"), M), /full\.npy: the disk is full/);
    expect((await readdir(folder)).filter((f) => f.startsWith("full"))).toEqual([]);
  });
});
