/** NumPy's .npz: a zip archive of .npy files. */
import { unzipSync, zipSync } from "fflate";
import type { Matrix } from "../types.js";
import { DataError, type Loaded } from "./loaded.js";
import { readNpy, writeNpy } from "./npy.js";

/** The array of that name, or the only one. */
export function readNpz(bytes: Uint8Array, name?: string): Loaded {
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, { filter: ({ name: file }) => file.endsWith(".npy") });
  } catch (error) {
    throw new DataError(`the .npz file is no whole zip archive (${(error as Error).message}); it may be cut off.`);
  }
  const names = Object.keys(files).map((file) => file.slice(0, -4));
  if (names.length === 0) throw new DataError("the .npz file holds no array.");
  const list = names.join(", ");
  if (name === undefined && names.length > 1) throw new DataError(`the .npz file holds ${list}; name one of them.`);
  const chosen = name ?? names[0]!;
  if (!names.includes(chosen)) throw new DataError(`the .npz file has no array '${chosen}'; it holds ${list}.`);
  return readNpy(files[`${chosen}.npy`]!);
}

/** An archive without compression, as numpy.savez makes it. */
export function writeNpz(arrays: Record<string, Matrix>): Uint8Array {
  const files = Object.entries(arrays).map(([name, M]) => [`${name}.npy`, writeNpy(M)] as const);
  // a fixed date: the same matrices give the same bytes
  return zipSync(Object.fromEntries(files), { level: 0, mtime: new Date(1980, 0, 1) });
}
