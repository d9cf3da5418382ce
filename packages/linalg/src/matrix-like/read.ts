/** Matrices as people hold them, recognised by their structure alone: no library is imported for it. */
import { isSparse, sparseToDense } from "../arrays/sparse.js";
import type { Matrix, Sparse } from "../contracts/matrix.js";
import { described, isPromise } from "../errors.js";
import { ProblemError } from "../given.js";
import { anything, chosenOptions, either, oneOf, type SchemaOf, text, whole } from "../options.js";
import { allBut, labelPlace, ofDense, requireChoice } from "./column-choice.js";
import { DataError } from "./data-error.js";
import { fromValues, isList, isTyped, labelsOf } from "./numbers.js";
import { fromColumns, fromRecords, fromRows } from "./rows.js";
import { fromSparse } from "./sparse.js";
import { fromFlat, fromStrided } from "./strided.js";
import type { ByGet, Flat, Loaded, MatrixLike, ReadOptions, Strided, Table } from "./types.js";

const schema: SchemaOf<ReadOptions> = {
  columns: anything,
  gaps: oneOf(["refuse", "drop", "nan"]),
  labels: either(text, whole(1)),
};

/**
 * `source` as a dense matrix: without a copy if it is row-major, contiguous and Float64, otherwise a copy with a note. Names of columns,
 * of records or of a table, go along.
 *
 *     asMatrix([[1, 2], [3, 4]]).matrix                                  // { rows: 2, cols: 2, data }
 *     asMatrix(flowers, { columns: ["sepal", "petal"] }).matrix          // of records, with names
 *     asMatrix({ data: new Float32Array(6), shape: [3, 2] }).matrix
 */
export function asMatrix(source: unknown, options: ReadOptions = {}): Loaded<Table> {
  const o = chosenOptions("asMatrix", options, schema);
  if (o.columns !== undefined) requireChoice(o.columns);
  const { matrix, notes } = read(source, o);
  if (!isSparse(matrix)) return { matrix, notes };
  const dense = sparseToDense(matrix);
  const note = `a sparse matrix of ${matrix.values.length} entries made dense`;
  return { matrix: o.columns ? ofDense(dense, o.columns) : dense, notes: [...notes, note] };
}

/** A matrix in any form, as the functions that take one have it: `where` and `letter` begin the sentence about a wrong one. */
export const matrixOf = (where: string, letter: string, source: MatrixLike | undefined): Table =>
  tableOf(where, letter, source).matrix;

/** `matrixOf` with a choice of columns and of what becomes of gaps, and notes */
export function tableOf(
  where: string,
  letter: string,
  source: MatrixLike | undefined,
  { columns, gaps, labels }: ReadOptions = {},
): Loaded<Table> {
  if (isReady(source) && !columns && !gaps && labels === undefined) return { matrix: source, notes: [] };
  return inOneSentence(where, letter, () => asMatrix(source, { columns, gaps, labels }));
}

/** `matrixOf` for matrices that may be sparse, and then stay so */
export function operatorOf(where: string, letter: string, source: MatrixLike | undefined): Table | Sparse {
  if (isReady(source)) return source;
  return inOneSentence(where, letter, () => read(source, {}).matrix);
}

/** A list of matrices in any form */
export function matricesOf(where: string, source: unknown): Table[] {
  if (Array.isArray(source)) return source.map((A, k) => matrixOf(where, `matrix ${k + 1}`, A));
  throw new ProblemError(`${where}: the list of matrices is ${described(source)}; give an array of them.`);
}

/** { rows, cols, data } with row-major Float64 numbers, or a matrix of an engine, whose numbers are not read */
function isReady(source: unknown): source is Matrix {
  const { rows, cols, kind, names } = Object(source) as { [name: string]: unknown };
  if (names !== undefined && (names as readonly string[]).length !== cols) return false;
  if (typeof rows !== "number" || typeof cols !== "number") return false;
  return kind === "tall" || kind === "small" || (source as Matrix).data instanceof Float64Array;
}

function inOneSentence<T>(where: string, letter: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new ProblemError(`${where}: ${letter}: ${error.message}`, { cause: error });
  }
}

function read(source: unknown, o: ReadOptions): Loaded<Table | Sparse> {
  if (isList(source)) return fromList(source, o);
  if (isPromise(source)) throw new DataError("a matrix is needed, this is a promise; await it before.");
  if (typeof source === "object" && source !== null) {
    const matrix = fromObject(source as { readonly [name: string]: unknown }, o);
    if (matrix) return matrix;
  }
  throw new DataError(
    `a matrix is needed, this is ${described(source)}; give an array of rows, {rows, cols, data} or {data, shape, strides}.`,
  );
}

/** Rows of numbers, records, or numbers alone: a column */
function fromList(source: ArrayLike<unknown>, o: ReadOptions): Loaded<Table> {
  if (source.length === 0) throw new DataError("the array is empty; a matrix has at least one row.");
  const first = source[0];
  const { columns: names } = source as { columns?: unknown };
  if (isList(first)) {
    const ofColumns = isTexts(names) && names.length === first.length ? names : undefined;
    return fromRows(source as ArrayLike<ArrayLike<unknown>>, o, ofColumns);
  }
  if (typeof first === "object" && first !== null) return fromRecords(source, o);
  if (!o.gaps && isTyped(source)) return choose(fromStrided({ data: source, shape: [source.length] }), o);
  const { rows, data, notes } = fromValues(source.length, 1, (i) => source[i], o.gaps);
  const note = `an array of 1 dimensions taken for a ${rows}×1 matrix`;
  return choose({ matrix: { rows, cols: 1, data }, notes: [note, ...notes] }, o);
}

const isTexts = (x: unknown): x is readonly string[] => Array.isArray(x) && x.every((name) => typeof name === "string");

function fromObject(source: { readonly [name: string]: unknown }, o: ReadOptions): Loaded<Table | Sparse> | undefined {
  const sparse = fromSparse(source);
  if (sparse) return { matrix: sparse, notes: [] };
  const { data, rows, cols, columns, get, toArray, arraySync } = source;
  if (data !== undefined && typeof data !== "function") {
    if ("shape" in source) return choose(fromStrided(source as unknown as Strided), o);
    if (rows !== undefined && cols !== undefined) return choose(fromFlat(source as unknown as Flat), o);
    // rows of numbers beside names, as a data frame writes them ("split")
    if (isTexts(columns) && isList(data) && isList(data[0])) {
      return fromRows(data as ArrayLike<ArrayLike<unknown>>, o, columns);
    }
  }
  if (typeof rows === "number" && typeof columns === "number" && typeof get === "function") {
    return choose(fromGet(source as unknown as ByGet, o), o);
  }
  for (const method of [toArray, arraySync]) if (typeof method === "function") return read(method.call(source), o);
  return fromColumns(source, o);
}

function fromGet(M: ByGet, { gaps }: ReadOptions): Loaded<Table> {
  const { rows, data, notes } = fromValues(M.rows, M.columns, (i, j) => M.get(i, j), gaps);
  return { matrix: { rows, cols: M.columns, data }, notes };
}

/** The chosen columns, and the rows without gaps, of a matrix that is read whole */
function choose({ matrix, notes }: Loaded<Table>, { columns, gaps, labels }: ReadOptions): Loaded<Table> {
  const { rows: m, cols: n, data: all, names } = matrix;
  const label = labelPlace(labels, n, names);
  const M = columns || label !== undefined ? ofDense(matrix, columns ?? allBut(n, label)) : matrix;
  const ofRows = (isLeftOut?: (i: number) => boolean) =>
    label === undefined ? {} : labelsOf(m, (i) => all[i * n + label], isLeftOut);
  if (!gaps || gaps === "nan") return { matrix: label === undefined ? M : { ...M, ...ofRows() }, notes };
  const { rows, data, notes: ofGaps, isLeftOut } = fromValues(m, M.cols, (i, j) => M.data[i * M.cols + j], gaps);
  return { matrix: { ...M, rows, data, ...ofRows(isLeftOut) }, notes: [...notes, ...ofGaps] };
}
