/** Files that were dropped on the page. */
import { namesIn, numberOf, recordsOf } from "@expen/data";
import { DataError, type Table as NamedMatrix, readCsv, readNpy } from "expen/data";
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
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { matrix, notes } = /\.npy$/i.test(name) ? readNpy(bytes) : readColumnsOfNumbers(bytes);
    const { rows, cols, data, names }: NamedMatrix = matrix;
    if (rows < 1 || cols < 1) throw new DataError("it holds no numbers.");
    return { table: { name, rows, cols, data, ...(names && { names: [...names] }) }, notes };
  } catch (error) {
    throw new DataError(`${name}: ${(error as Error).message}`);
  }
}

/** A table, without its columns of words if there are any, as names of rows or classes; a word among numbers stays a mistake. */
function readColumnsOfNumbers(bytes: Uint8Array) {
  try {
    return readCsv(bytes);
  } catch (error) {
    const records = recordsOf(bytes);
    const [first] = records;
    if (!first) throw error;
    const isWord = (cell: string | undefined): boolean =>
      cell !== undefined && numberOf(cell, first.separator) === undefined;
    const places = first.cells.map((_, j) => j);
    const words = places.filter((j) => records.every(({ cells }) => isWord(cells[j])));
    if (words.length === 0 || words.length === places.length) throw error;
    const columns = places.filter((j) => !words.includes(j)).map((j) => j + 1);
    const { matrix, notes } = readCsv(bytes, { columns });
    const names = namesIn(matrix.names ? first.cells : places.map(() => ""));
    return { matrix, notes: [...notes, `columns of words are left out: ${words.map((j) => names[j]).join(", ")}`] };
  }
}
