/** Rows of a file without the others, and a file from rows that come in blocks. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { extensions, loadMatrix, saveMatrix } from "../src/load.js";
import { writeNpy } from "../src/npy.js";
import { loadRows, saveRows } from "../src/rows.js";

const folder = mkdtempSync(join(tmpdir(), "expen-rows-"));
const [rows, cols] = [11, 3];
const r = random(1, "rows");
const M: Matrix = { rows, cols, data: Float64Array.from({ length: rows * cols }, r.normal) };
const slice = (first: number, count: number): Matrix => ({
  rows: count,
  cols,
  data: M.data.slice(first * cols, (first + count) * cols),
});

afterEach(() => vi.unstubAllEnvs());

describe.each([...extensions])("%s", (ending) => {
  const path = join(folder, `whole${ending}`);

  test("rows are those of the whole matrix", async () => {
    await saveMatrix(path, M);
    for (const [first, count] of [
      [0, 4],
      [4, 7],
      [11, 0],
    ] as const) {
      expect((await loadRows(path, { rows, cols }, first, count)).matrix).toEqual(slice(first, count));
    }
  });

  test("blocks make the same file", async () => {
    const other = join(folder, `blocks${ending}`);
    await saveMatrix(path, M);
    await saveRows(other, { rows, cols }, [slice(0, 4), slice(4, 0), slice(4, 7)]);
    expect((await loadMatrix(other)).matrix).toEqual(M);
    if (ending !== ".npz") expect(readFileSync(other)).toEqual(readFileSync(path));
  });

  test("another size is one sentence", async () => {
    await saveMatrix(path, M);
    await expect(loadRows(path, { rows: 12, cols }, 0, 4)).rejects.toThrow(
      new RegExp(`^${path}: it is 11×3 but must be 12×3; give a matrix of that shape.$`),
    );
  });
});

test("of a .npy file no more memory is taken than its rows need", async () => {
  const path = join(folder, "large.npy");
  const large = { rows: 4000, cols, data: new Float64Array(4000 * cols) };
  large.data[3000 * cols] = 7;
  await saveMatrix(path, large);
  vi.stubEnv("EXPEN_MEMORY", "0.00003");
  await expect(loadMatrix(path)).rejects.toThrow(/EXPEN_MEMORY allows/);
  expect((await loadRows(path, large, 3000, 1000)).matrix.data[0]).toBe(7);
});

test("columns first, and files that are cut off", async () => {
  const bytes = writeNpy({ rows: cols, cols: rows, data: M.data });
  const text = Buffer.from(bytes).toString("latin1").replace("False, 'shape': (3, 11)", "True, 'shape': (11, 3) ");
  const path = join(folder, "columns.npy");
  writeFileSync(path, Buffer.from(text, "latin1"));
  const { matrix, notes } = await loadRows(path, { rows, cols }, 2, 5);
  expect(matrix.data[1]).toBe(M.data[rows + 2]);
  expect(notes).toContain("Fortran order converted to row-major");
  const cut = join(folder, "cut.npy");
  writeFileSync(cut, bytes.subarray(0, bytes.length - 8));
  await expect(loadRows(cut, { rows: cols, cols: rows }, 0, 1)).rejects.toThrow(/cut off/);
  writeFileSync(cut, bytes.subarray(0, 40));
  await expect(loadRows(cut, { rows: cols, cols: rows }, 0, 1)).rejects.toThrow(/cut off inside its header/);
});
