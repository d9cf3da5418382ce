/** Matrices of numbers alone, as a start has them: little code, for pages that load no more. `asMatrix` reads all other forms. */
import type { Matrix } from "../contracts/matrix.js";
import { described, isPromise } from "../errors.js";
import { DataError } from "./data-error.js";
import { isList, numberAt } from "./numbers.js";
import type { Flat } from "./types.js";

/** Rows of numbers, or row-major numbers of any type with their sizes */
export type NumericLike = Matrix | Flat | readonly ArrayLike<number>[];

/** Rows of numbers, or numbers in another list than a Float64Array: no matrix of the library or of an engine */
export const isForeignMatrix = (source: object): source is Flat | readonly ArrayLike<number>[] =>
  Array.isArray(source) || (Object.hasOwn(source, "data") && !((source as Matrix).data instanceof Float64Array));

/** `source` as a dense matrix of Float64 numbers */
export function numericMatrix(source: unknown): Matrix {
  const { rows, cols, data } = Object(source) as Partial<Flat>;
  if (typeof rows === "number" && typeof cols === "number" && isList(data)) {
    if (data.length !== rows * cols) {
      throw new DataError(`${rows}×${cols} need ${rows * cols} numbers, there are ${data.length}.`);
    }
    return data instanceof Float64Array ? { rows, cols, data } : filled(rows, cols, (i, j) => data[i * cols + j]);
  }
  if (isList(source) && isList(source[0])) return fromLists(source as ArrayLike<unknown>, source[0].length);
  const advice = isPromise(source)
    ? "await it before"
    : "give an array of rows, {rows, cols, data} or asMatrix(…).matrix";
  throw new DataError(`a matrix is needed, this is ${described(source)}; ${advice}.`);
}

function fromLists(source: ArrayLike<unknown>, cols: number): Matrix {
  for (let i = 0; i < source.length; i++) {
    const row = source[i];
    const length = isList(row) ? row.length : "no";
    if (length !== cols) throw new DataError(`row ${i} has ${length} numbers, row 0 has ${cols}.`);
  }
  return filled(source.length, cols, (i, j) => (source[i] as ArrayLike<unknown>)[j]);
}

function filled(rows: number, cols: number, at: (i: number, j: number) => unknown): Matrix {
  const data = new Float64Array(rows * cols);
  for (let i = 0, k = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) data[k++] = numberAt(at(i, j), () => `entry (${i}, ${j})`);
  }
  return { rows, cols, data };
}
