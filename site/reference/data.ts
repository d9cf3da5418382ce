/** Examples of the reference for `expen/data`; site/build/examples.ts says how they are written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  asMatrix,
  CAUSES,
  DataError,
  explained,
  extensions,
  formatOf,
  loadMatrix,
  loadMolecule,
  loadNumbers,
  loadOperator,
  npz,
  readCsv,
  readMolecule,
  readNpy,
  saveMatrix,
  savePieces,
} from "expen/data";

// asMatrix
{
  const { matrix } = asMatrix([[1, 2], [3, 4], [5, 6]]); // biome-ignore format: a matrix
  console.log(matrix.rows, matrix.cols, matrix.data.join(" ")); // 3 2 1 2 3 4 5 6
}

// readCsv
{
  const { matrix } = readCsv("height,weight\n1.8,80\n1.6,60\n");
  console.log(matrix.rows, matrix.cols, matrix.data[0]); // 2 2 1.8
}

// saveMatrix, loadMatrix, loadOperator, loadNumbers
{
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  const file = join(folder, "a.npy");
  await saveMatrix(file, { rows: 2, cols: 1, data: Float64Array.from([1, 2]) });
  console.log((await loadMatrix(file)).matrix.data.join(" ")); // 1 2
  writeFileSync(join(folder, "b.mtx"), "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n");
  console.log((await loadOperator(join(folder, "b.mtx"))).matrix.rows); // 2
  writeFileSync(join(folder, "c.csv"), "7\n8\n");
  console.log(Object.keys(await loadNumbers(join(folder, "c.csv"))).includes("matrix")); // true
  rmSync(folder, { recursive: true });
}

// DataError, readNpy
{
  try {
    readNpy(new Uint8Array(4));
  } catch (error) {
    console.log(error instanceof DataError); // true
  }
}

// loadMolecule, readMolecule
{
  const file = "examples/data/molecules/H2O-sto-3g.npz";
  const { size, occupied, nuclear } = await loadMolecule(file);
  console.log(size, occupied, nuclear.toFixed(4)); // 7 5 9.1895
  const same = await readMolecule(readFileSync(file)); // the bytes, as a page has them of a dropped file
  console.log(same.nuclear === nuclear); // true
}

// npz
{
  const { readNpz, writeNpz } = await npz();
  const bytes = writeNpz({
    A: { rows: 2, cols: 1, data: Float64Array.of(1, 2) },
    B: { rows: 1, cols: 1, data: Float64Array.of(7) },
  });
  console.log(readNpz(bytes, "A").matrix.data.join(" ")); // 1 2
}

// formatOf, extensions
{
  console.log(extensions.includes(".npy"), "save" in formatOf("a.npy")); // true true
  try {
    formatOf("a.xlsx");
  } catch (error) {
    console.log((error as Error).message.split(";")[0]); // a.xlsx: the ending '.xlsx' is unknown
  }
}

// savePieces, explained, CAUSES
{
  // a file that is written completely or not at all, and the sentence where it cannot be
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  await savePieces(join(folder, "a.csv"), () => ["1\n", "2\n"]);
  console.log((await loadMatrix(join(folder, "a.csv"))).matrix.data.join(" ")); // 1 2
  rmSync(folder, { recursive: true });
  const read = explained("a.csv", () => Promise.reject(Object.assign(new Error(), { code: "ENOENT" })));
  console.log(await read.catch(({ message }) => message.includes(CAUSES.ENOENT))); // true
}
