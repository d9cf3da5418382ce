/** NumPy's .npz: a zip archive of .npy files. Only the requested array is unpacked, piece by piece into its matrix. */

import type { Matrix } from "@expen/linalg";
import { zipSync } from "fflate";
import { type ComplexPair, DataError, type Loaded } from "./loaded.js";
import { npyReaderOfAny, requireReal, writeNpy } from "./npy.js";
import { unpacked, type ZipEntry, zipEntries } from "./zip.js";

/** Names that an error message lists at most */
const LISTED = 10;

/** The array with that name, or the only one */
export function readNpz(bytes: Uint8Array, name?: string): Loaded {
  const { matrix, notes } = readNpzOfAny(bytes, name);
  return { matrix: requireReal(matrix), notes };
}

/** `readNpz` for real and complex numbers */
export function readNpzOfAny(bytes: Uint8Array, name?: string): Loaded<Matrix | ComplexPair> {
  return whole(() => {
    const entry = entryNamed(zipEntries(bytes), name);
    const reader = npyReaderOfAny(entry.size);
    for (const piece of unpacked(bytes, entry)) reader.push(piece);
    return reader.end();
  });
}

function whole<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // a DataView was read beyond the end of the file
    if (!(error instanceof RangeError)) throw error;
    throw new DataError("the .npz file is no whole zip archive; it may be cut off.", { cause: error });
  }
}

/** The names of the arrays of an archive */
export function arrayNames(bytes: Uint8Array): string[] {
  return whole(() => namesOf(arraysOf(zipEntries(bytes))));
}

const arraysOf = (entries: readonly ZipEntry[]): ZipEntry[] => entries.filter((entry) => entry.name.endsWith(".npy"));
const namesOf = (arrays: readonly ZipEntry[]): string[] => arrays.map((entry) => entry.name.slice(0, -4));

function entryNamed(entries: readonly ZipEntry[], name: string | undefined): ZipEntry {
  const arrays = arraysOf(entries);
  const names = namesOf(arrays);
  if (names.length === 0) throw new DataError("the .npz file holds no array.");
  const list = names.slice(0, LISTED).join(", ") + (names.length > LISTED ? ", …" : "");
  if (name === undefined && names.length > 1)
    throw new DataError(`the .npz file holds ${list}; name one of them, or save it alone.`);
  const at = name === undefined ? 0 : names.indexOf(name);
  if (at < 0) throw new DataError(`the .npz file has no array '${name}'; it holds ${list}.`);
  return arrays[at]!;
}

/** An archive without compression, as numpy.savez makes it. */
export function writeNpz(arrays: Record<string, Matrix | ComplexPair>): Uint8Array {
  const files = Object.entries(arrays).map(([name, M]) => [`${name}.npy`, writeNpy(M)] as const);
  // a fixed date, so that equal matrices have equal bytes
  return zipSync(Object.fromEntries(files), { level: 0, mtime: new Date(1980, 0, 1) });
}
