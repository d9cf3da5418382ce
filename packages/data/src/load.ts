/** Matrices from and to files, by the extension of their names */

import type { Matrix } from "@expen/linalg";
import {
  anything,
  asMatrix,
  chosenOptions,
  either,
  matrix,
  oneOf,
  type ReadOptions,
  requireChoice,
  requireKind,
  type SchemaOf,
  type Sparse,
  type Table,
  text,
  whole,
} from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { requireMemoryFor } from "@expen/linalg/memory";
import { chosenColumns } from "./columns.js";
import { csvReader, csvText } from "./csv.js";
import { readFcidump } from "./fcidump.js";
import { endingOf, sourceAt, writePieces } from "./files.js";
import type { Pieces } from "./files-browser.js";
import { jsonText, readJson } from "./json.js";
import { type ComplexPair, DataError, type Loaded, type TextReader } from "./loaded.js";
import { matrixMarketReader, matrixMarketText } from "./matrix-market.js";
import type { Molecule } from "./molecule.js";
import { npyOfRows, npyParts, npyReaderOfAny, requireReal } from "./npy.js";
import { pieceDecoder, textOf } from "./text-decoder.js";

export type { Molecule } from "./molecule.js";

/** Zip archives need a third-party package, which is imported on first use. */
export const npz = (): Promise<typeof import("./npz.js")> => import("./npz.js");
/** A molecule from the bytes of an .npz archive */
export const readMolecule = async (bytes: Uint8Array): Promise<Molecule> =>
  (await import("./molecule-npz.js")).readMolecule(bytes);
/** The contents of a file */
type Numbers = Table | Sparse | ComplexPair;
interface Format {
  load(path: string, options: LoadOptions): Promise<Loaded<Numbers>>;
  /** whether `load` reads the chosen columns only, so that others may contain text, and treats gaps */
  readonly readsTables?: true;
  save(M: Matrix | Sparse): Pieces | Promise<Pieces>;
  /** `save` for blocks of rows, if the format is row by row */
  saveRows?(shape: Pick<Matrix, "rows" | "cols">, blocks: Iterable<Matrix>): Pieces;
}

/** Bytes of a text file at most: the longest string of V8 */
const LARGEST_WHOLE = 2 ** 29 - 24;

const dense = (M: Matrix | Sparse): Matrix => (isSparse(M) ? sparseToDense(M) : M);
const csv = (separator: string): Format => ({
  load: (path, o) => readText(path, () => csvReader(o)),
  readsTables: true,
  save: (M) => csvText(dense(M), separator),
  *saveRows(_shape, blocks) {
    for (const block of blocks) yield* csvText(block, separator);
  },
});

const FORMATS: Record<string, Format> = {
  ".npy": { load: readNpyFile, save: (M) => npyParts(dense(M)), saveRows: npyOfRows },
  ".npz": {
    load: async (path, { array }) => (await npz()).readNpzOfAny(await readWhole(path, 2 ** 31 - 1), array),
    save: async (M) => [(await npz()).writeNpz({ X: dense(M) })],
  },
  ".csv": csv(","),
  ".tsv": csv("\t"),
  ".txt": csv(" "),
  ".mtx": { load: (path) => readText(path, matrixMarketReader), save: matrixMarketText },
  ".json": {
    load: async (path, { columns, gaps, labels }) =>
      readJson(textOf(await readWhole(path, LARGEST_WHOLE)).text, { columns, gaps, labels }),
    readsTables: true,
    save: (M) => jsonText(dense(M)),
  },
};

/** The extensions that `loadMatrix` and `saveMatrix` know */
export const extensions: readonly string[] = Object.keys(FORMATS);

/** In files of texts, columns that are not chosen may contain words. */
export interface LoadOptions extends ReadOptions {
  /** which array of a .npz file */
  array?: string;
}

const loadSchema: SchemaOf<LoadOptions> = {
  array: text,
  columns: anything,
  gaps: oneOf(["refuse", "drop", "nan"]),
  labels: either(text, whole(1)),
};

/** The matrix in a file, with the chosen columns and without the rows that are left out */
async function numbersOf(path: string, o: LoadOptions): Promise<Loaded<Numbers>> {
  const format = formatOf(path);
  if (o.columns !== undefined) requireChoice(o.columns);
  const loaded = await format.load(path, o);
  if (format.readsTables) return loaded;
  const { columns, gaps, labels } = o;
  if (!("data" in loaded.matrix))
    return { ...loaded, matrix: columns ? chosenColumns(loaded.matrix, columns) : loaded.matrix };
  const { matrix, notes } = asMatrix(loaded.matrix, { columns, gaps, labels });
  return { matrix, notes: [...loaded.notes, ...notes] };
}

/** A dense matrix; a sparse file is filled with zeros, with a note. */
export async function loadMatrix(path: string, options: LoadOptions = {}): Promise<Loaded<Table>> {
  const o = chosenOptions("loadMatrix", options, loadSchema);
  requirePath("loadMatrix", path);
  const { matrix, notes } = await loadOperator(path, o);
  if (!isSparse(matrix)) return { matrix, notes };
  return explained(path, async () => ({
    matrix: sparseToDense(matrix),
    notes: [...notes, `a sparse matrix of ${matrix.values.length} entries made dense`],
  }));
}

/** A dense or sparse matrix, as in the file */
export async function loadOperator(path: string, options: LoadOptions = {}): Promise<Loaded<Table | Sparse>> {
  const o = chosenOptions("loadOperator", options, loadSchema);
  requirePath("loadOperator", path);
  formatOf(path);
  return explained(path, async () => {
    const { matrix, notes } = await numbersOf(path, o);
    return { matrix: requireReal(matrix), notes };
  });
}

/** A dense, sparse or complex matrix, as in the file */
export async function loadNumbers(path: string, options: LoadOptions = {}): Promise<Loaded<Numbers>> {
  const o = chosenOptions("loadNumbers", options, loadSchema);
  requirePath("loadNumbers", path);
  formatOf(path);
  return explained(path, () => numbersOf(path, o));
}

function requirePath(where: string, path: unknown): void {
  requireKind(`${where}: the path`, text, path);
}

/** The integrals of a molecule: an .npz archive of arrays, or FCIDUMP text under any other name. */
export async function loadMolecule(path: string): Promise<Molecule> {
  requirePath("loadMolecule", path);
  return explained(path, async () => {
    if (endingOf(path) === ".npz") {
      return readMolecule(await readWhole(path, LARGEST_WHOLE));
    }
    return readFcidump(textOf(await readWhole(path, LARGEST_WHOLE)).text);
  });
}

/** Writes a matrix in the format that the ending of the path names, completely or not at all. */
export async function saveMatrix(path: string, M: Matrix | Sparse): Promise<void> {
  requirePath("saveMatrix", path);
  requireKind("saveMatrix: M", matrix, M);
  const format = formatOf(path);
  await savePieces(path, () => format.save(M));
}

/** Writes a file completely or not at all: an existing one is replaced at the end. */
export async function savePieces(path: string, pieces: () => Pieces | Promise<Pieces>): Promise<void> {
  await explained(path, () => writePieces(path, pieces));
}

/** The format of a file by the ending of its name; an unknown ending is a `DataError`. */
export function formatOf(path: string): Format {
  const ending = endingOf(path);
  const format = FORMATS[ending];
  if (format) return format;
  const what = ending ? `the ending '${ending}' is unknown` : "the name has no ending";
  throw new DataError(`${path}: ${what}; it must be one of ${extensions.join(", ")}.`);
}

/** System errors about a path, in a few words, by code */
export const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "this is a folder, not a file",
  ENOTDIR: "a part of the path is a file, not a folder",
  EACCES: "the permission is missing",
  EPERM: "the permission is missing",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  ENAMETOOLONG: "the name is too long",
};

/** Errors of the system and of parsers in one sentence that begins with the file's name. */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = CAUSES[(error as NodeJS.ErrnoException).code ?? ""];
    if (cause) throw new DataError(`${path}: ${cause}.`, { cause: error });
    if (error instanceof RangeError) {
      throw new DataError(`${path}: there is no memory for it (${error.message}).`, { cause: error });
    }
    if (error instanceof Error) throw new DataError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function readText<M>(path: string, readerFor: (length: number) => TextReader<M>): Promise<Loaded<M>> {
  const { size, pieces } = await sourceAt(path);
  const reader = readerFor(size);
  const decoder = pieceDecoder();
  for await (const piece of pieces()) reader.push(decoder.decode(piece));
  reader.push(decoder.end());
  const { matrix, notes } = reader.end();
  return { matrix, notes: [...decoder.notes(), ...notes] };
}

async function readWhole(path: string, largest: number): Promise<Uint8Array> {
  const { size, whole } = await sourceAt(path);
  if (size < Number.POSITIVE_INFINITY) {
    if (size > largest) {
      throw new DataError(`${size} bytes are more than this format can be read with (${largest}); save it as .npy.`);
    }
    requireMemoryFor(size / 8, 1);
  }
  return whole();
}

/** Reads piece by piece directly into the matrix, so that little memory beside the matrix is needed. */
async function readNpyFile(path: string): Promise<Loaded<Matrix | ComplexPair>> {
  const { size, pieces } = await sourceAt(path);
  const reader = npyReaderOfAny(size);
  for await (const piece of pieces()) reader.push(piece);
  return reader.end();
}
