/** Files of the system: the only part of load.ts that needs Node. The build for browsers replaces this file by files-browser.ts. */
import { open, readFile, realpath, rename, stat, unlink } from "node:fs/promises";
import { extname } from "node:path";
import type { Pieces, Source } from "./files-browser.js";

/** Bytes of a piece of a file; larger ones are not faster. */
const PIECE = 1 << 22;

/** ".npy" of any/X.NPY */
export const endingOf = (path: string): string => extname(path).toLowerCase();

export async function sourceAt(path: string): Promise<Source> {
  const stats = await stat(path);
  const size = stats.isFile() ? stats.size : Number.POSITIVE_INFINITY;
  return {
    size,
    pieces: () => piecesOf(path, Math.min(size, PIECE)),
    whole: () => readFile(path),
  };
}

/** Reads piece after piece into the same memory. */
async function* piecesOf(path: string, length: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const piece = new Uint8Array(length);
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, length);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * Writes to a temporary file beside `path` and renames it, so that an error leaves an existing file intact. A link remains a link; a
 * device or a pipe is written to and never replaced.
 */
export async function writePieces(path: string, pieces: () => Pieces | Promise<Pieces>): Promise<void> {
  const place = await realpath(path).catch(() => path);
  const replaced = await stat(place).then(
    (entry) => entry.isFile(),
    () => true,
  );
  const target = replaced ? `${place}.${process.pid}.partial` : place;
  try {
    const file = await open(target, "w");
    try {
      for (const piece of await pieces()) await file.writeFile(piece);
      if (replaced) await file.sync();
    } finally {
      await file.close();
    }
    if (replaced) await rename(target, place);
  } catch (error) {
    if (replaced) await unlink(target).catch(() => undefined);
    throw error;
  }
}
