/** Examples of the reference for `expen/data`; site/build/examples.ts says how they are written. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  asMatrix,
  DataError,
  loadMatrix,
  loadMolecule,
  loadNumbers,
  loadOperator,
  readCsv,
  readNpy,
  saveMatrix,
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

// loadMolecule
{
  const { size, occupied, nuclear } = await loadMolecule("examples/data/molecules/H2O-sto-3g.npz");
  console.log(size, occupied, nuclear.toFixed(4)); // 7 5 9.1895
}
