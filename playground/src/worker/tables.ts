/** Files that were dropped on the page. */
import { DataError, readCsv, readNpy } from "expen/data";
import type { Table } from "../protocol.js";

/** largest file in bytes: its numbers take several times as much memory */
const LARGEST = 256 * 2 ** 20;

export async function readTable(file: File): Promise<{ table: Table; notes: string[] }> {
  const { name, size } = file;
  if (size > LARGEST) throw new DataError(`${name} has ${size >> 20} MiB; this page takes files up to 256 MiB.`);
  if (!/\.(csv|tsv|txt|npy)$/i.test(name)) {
    throw new DataError(`${name} is neither .csv, .tsv, .txt nor .npy; save it as one of these.`);
  }
  try {
    const { matrix, notes } = /\.npy$/i.test(name)
      ? readNpy(new Uint8Array(await file.arrayBuffer()))
      : readCsv(new Uint8Array(await file.arrayBuffer()));
    if (matrix.rows < 1 || matrix.cols < 1) throw new DataError("it holds no numbers.");
    return { table: { name, rows: matrix.rows, cols: matrix.cols, data: matrix.data }, notes };
  } catch (error) {
    throw new DataError(`${name}: ${(error as Error).message}`);
  }
}
