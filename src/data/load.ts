/** Matrices from and to files, by the ending of their names. The only file of data/ that needs Node. */
import { createReadStream, type Stats } from "node:fs";
import { open, readFile, realpath, rename, stat, unlink } from "node:fs/promises";
import { extname } from "node:path";
import { isSparse, type Sparse, sparseToDense } from "../arrays/sparse.js";
import { requireMemoryFor } from "../memory/require.js";
import { anything, chosenOptions, matrix, requireKind, type SchemaOf, text } from "../options.js";
import type { Matrix } from "../types.js";
import { type ColumnChoice, chosenColumns, requireChoice } from "./columns.js";
import { csvReader, csvText } from "./csv.js";
import { readFcidump } from "./fcidump.js";
import { jsonText, readJson } from "./json.js";
import { type ComplexPair, DataError, type Loaded, type TextReader } from "./loaded.js";
import { matrixMarketReader, matrixMarketText } from "./matrix-market.js";
import type { Molecule } from "./molecule.js";
import { npyOfRows, npyParts, npyReaderOfAny, requireReal } from "./npy.js";

export type { Molecule } from "./molecule.js";

type Pieces = Iterable<string | Uint8Array>;
/** Zip archives need a package, which is loaded when one comes. */
export const npz = () => import("./npz.js");
/** What a file may hold */
type Numbers = Matrix | Sparse | ComplexPair;
interface Format {
  load(path: string, options: LoadOptions): Promise<Loaded<Numbers>>;
  /** `load` reads the chosen columns alone, so that others may hold texts */
  readonly choosesColumns?: true;
  save(M: Matrix | Sparse): Pieces | Promise<Pieces>;
  /** the same of rows that come in blocks, where the format goes row by row */
  saveRows?(shape: Pick<Matrix, "rows" | "cols">, blocks: Iterable<Matrix>): Pieces;
}

/** Files are read in pieces of this many bytes. */
const PIECE = 1 << 22;
/** V8 has no longer strings, and fs.readFile stops at 2 GiB. */
const LARGEST_WHOLE = 2 ** 29 - 24;

const dense = (M: Matrix | Sparse): Matrix => (isSparse(M) ? sparseToDense(M) : M);
const csv = (separator: string): Format => ({
  load: (path, { columns }) => readText(path, () => csvReader(columns)),
  choosesColumns: true,
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
    load: async (path, { columns }) =>
      readJson(new TextDecoder().decode(await readWhole(path, LARGEST_WHOLE)), columns),
    choosesColumns: true,
    save: (M) => jsonText(dense(M)),
  },
};

/** The endings that `loadMatrix` and `saveMatrix` know. */
export const extensions: readonly string[] = Object.keys(FORMATS);

export interface LoadOptions {
  /** which array of a .npz file */
  array?: string;
  /** which columns, by names of the header or numbers from 1, ranges as texts: ["petal_length", 1, "3-4"]; others may hold texts */
  columns?: ColumnChoice;
}

const loadSchema: SchemaOf<LoadOptions> = { array: text, columns: anything };

/** The numbers of a file, of the chosen columns */
async function numbersOf(path: string, o: LoadOptions): Promise<Loaded<Numbers>> {
  const format = formatOf(path);
  if (o.columns === undefined) return format.load(path, o);
  requireChoice(o.columns);
  const loaded = await format.load(path, o);
  return format.choosesColumns ? loaded : { ...loaded, matrix: chosenColumns(loaded.matrix, o.columns) };
}

/** A dense matrix; a sparse file is filled with zeros, with a note. */
export async function loadMatrix(path: string, options: LoadOptions = {}): Promise<Loaded> {
  const o = chosenOptions("loadMatrix", options, loadSchema);
  requirePath("loadMatrix", path);
  const { matrix, notes } = await loadOperator(path, o);
  if (!isSparse(matrix)) return { matrix, notes };
  return explained(path, async () => ({
    matrix: sparseToDense(matrix),
    notes: [...notes, `a sparse matrix of ${matrix.values.length} entries made dense`],
  }));
}

/** Dense or sparse, as the file has it. */
export async function loadOperator(path: string, options: LoadOptions = {}): Promise<Loaded<Matrix | Sparse>> {
  const o = chosenOptions("loadOperator", options, loadSchema);
  requirePath("loadOperator", path);
  formatOf(path);
  return explained(path, async () => {
    const { matrix, notes } = await numbersOf(path, o);
    return { matrix: requireReal(matrix), notes };
  });
}

/** The same, complex numbers too */
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
    if (extname(path).toLowerCase() === ".npz") {
      const { readMolecule } = await import("./molecule-npz.js");
      return readMolecule(await readWhole(path, LARGEST_WHOLE));
    }
    return readFcidump(new TextDecoder().decode(await readWhole(path, LARGEST_WHOLE)));
  });
}

export async function saveMatrix(path: string, M: Matrix | Sparse): Promise<void> {
  requirePath("saveMatrix", path);
  requireKind("saveMatrix: M", matrix, M);
  const format = formatOf(path);
  await savePieces(path, () => format.save(M));
}

/**
 * Writes beside `path` under another name first: whatever goes wrong, a file that was there stays whole. A link stays one; what is no
 * file, a device or a pipe, is written to and never replaced.
 */
export async function savePieces(path: string, pieces: () => Pieces | Promise<Pieces>): Promise<void> {
  await explained(path, async () => {
    const place = await realpath(path).catch(() => path);
    const replaced = await stat(place).then(
      (there) => there.isFile(),
      () => true,
    );
    const written = replaced ? `${place}.${process.pid}.partial` : place;
    try {
      const file = await open(written, "w");
      try {
        for (const piece of await pieces()) await file.writeFile(piece);
        if (replaced) await file.sync();
      } finally {
        await file.close();
      }
      if (replaced) await rename(written, place);
    } catch (error) {
      if (replaced) await unlink(written).catch(() => undefined);
      throw error;
    }
  });
}

export function formatOf(path: string): Format {
  const ending = extname(path).toLowerCase();
  const format = FORMATS[ending];
  if (format) return format;
  const what = ending ? `the ending '${ending}' is unknown` : "the name has no ending";
  throw new DataError(`${path}: ${what}; it must be one of ${extensions.join(", ")}.`);
}

/** What the system says about a path, in a few words */
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

/** What a pipe will bring is not known. */
const lengthOf = (stats: Stats): number => (stats.isFile() ? stats.size : Number.POSITIVE_INFINITY);

async function readText<M>(path: string, readerFor: (length: number) => TextReader<M>): Promise<Loaded<M>> {
  const size = lengthOf(await stat(path));
  const reader = readerFor(size);
  for await (const text of createReadStream(path, { encoding: "utf8", highWaterMark: Math.min(size + 1, PIECE) })) {
    reader.push(text as string);
  }
  return reader.end();
}

async function readWhole(path: string, largest: number): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > largest) {
    throw new DataError(`${size} bytes are more than this format can be read with (${largest}); save it as .npy.`);
  }
  requireMemoryFor(size / 8, 1);
  return readFile(path);
}

/** Straight into the matrix, piece by piece: needs the memory of the matrix and little more, whatever its size. */
async function readNpyFile(path: string): Promise<Loaded<Matrix | ComplexPair>> {
  const file = await open(path, "r");
  try {
    const size = lengthOf(await file.stat());
    const reader = npyReaderOfAny(size);
    const piece = new Uint8Array(Math.min(size, PIECE));
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return reader.end();
      reader.push(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
