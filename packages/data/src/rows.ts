/** Rows of a matrix from a file, and a file from blocks of rows, for processes whose memory cannot hold the matrix */
import { open } from "node:fs/promises";
import { extname } from "node:path";
import type { Matrix } from "@expen/linalg";
import { requireMemoryFor } from "@expen/linalg/memory";
import { explained, formatOf, loadMatrix, savePieces } from "./load.js";
import { DataError, type Loaded } from "./loaded.js";
import { checkedShape, npyNumbers, requireReal } from "./npy.js";
import { type NpyHeader, npyHeader } from "./npy-header.js";

type Size = Pick<Matrix, "rows" | "cols">;

/** Bytes of an .npy header at most (npy-header.ts); nearly all are much shorter. */
const LONGEST_HEADER = 2 ** 20 + 12;
/** Bytes of a piece of a file, as in files.ts */
const PIECE = 1 << 22;

/** Rows `first` … `first + count − 1` of a matrix of that size; only these are read of an .npy file in C order, else all. */
export async function loadRows(path: string, size: Size, first: number, count: number): Promise<Loaded> {
  const alone = extname(path).toLowerCase() === ".npy" ? await npyRows(path, size, first, count) : undefined;
  if (alone) return alone;
  const { matrix, notes } = await loadMatrix(path);
  await explained(path, async () => requireSize(matrix, size));
  const { cols, data } = matrix;
  return { matrix: { rows: count, cols, data: data.slice(first * cols, (first + count) * cols) }, notes };
}

function requireSize({ rows, cols }: Size, expectation: Size): void {
  if (rows === expectation.rows && cols === expectation.cols) return;
  throw new DataError(
    `it is ${rows}×${cols} but must be ${expectation.rows}×${expectation.cols}; give a matrix of that shape.`,
  );
}

/** undefined if the file is in Fortran order */
function npyRows(path: string, size: Size, first: number, count: number): Promise<Loaded | undefined> {
  return explained(path, async () => {
    const file = await open(path, "r");
    try {
      const { size: length } = await file.stat();
      const header = await headerOf(async (bytes) => (await file.read(bytes, 0, bytes.length, 0)).bytesRead);
      const { rows, cols } = checkedShape(header, length - header.offset);
      if (header.fortran && rows > 1 && cols > 1) return undefined;
      requireSize({ rows, cols }, size);
      const [begin, bytes] = [first * cols * header.itemSize, count * cols * header.itemSize];
      const numbers = npyNumbers({ ...header, shape: [count, cols], fortran: false }, header.offset + bytes);
      const piece = new Uint8Array(Math.min(bytes, PIECE));
      for (let at = 0; at < bytes; ) {
        const amount = Math.min(piece.length, bytes - at);
        const { bytesRead } = await file.read(piece, 0, amount, header.offset + begin + at);
        if (bytesRead === 0) break;
        numbers.push(piece.subarray(0, bytesRead));
        at += bytesRead;
      }
      const { matrix, notes } = numbers.end();
      return { matrix: requireReal<Matrix>(matrix), notes };
    } finally {
      await file.close();
    }
  });
}

/** `read` fills bytes from the beginning of the file and returns their number. */
async function headerOf(read: (bytes: Uint8Array) => Promise<number>): Promise<NpyHeader> {
  for (let room = 4096; ; room *= 16) {
    const bytes = new Uint8Array(Math.min(room, LONGEST_HEADER));
    const count = await read(bytes);
    const header = npyHeader(bytes.subarray(0, count));
    if (header) return header;
    if (count < bytes.length || room > LONGEST_HEADER) {
      throw new DataError("the .npy file is cut off inside its header.");
    }
  }
}

/** Writes consecutive blocks of rows. Formats that are not row by row need the whole matrix in memory. */
export async function saveRows(path: string, { rows, cols }: Size, blocks: Iterable<Matrix>): Promise<void> {
  const { save, saveRows } = formatOf(path);
  await savePieces(path, () =>
    saveRows ? saveRows({ rows, cols }, blocks) : save(joinedRows({ rows, cols }, blocks)),
  );
}

/** The matrix of consecutive blocks of rows */
export function joinedRows({ rows, cols }: Size, blocks: Iterable<Matrix>): Matrix {
  requireMemoryFor(rows, cols);
  const data = new Float64Array(rows * cols);
  let at = 0;
  for (const block of blocks) {
    data.set(block.data, at);
    at += block.data.length;
  }
  return { rows, cols, data };
}
