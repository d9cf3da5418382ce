/** Matrices of numbers alone, without names, texts and gaps, as a start has them: little code, for pages that load no more. */
import type { Matrix } from "../contracts/matrix.js";
import { described, isPromise } from "../errors.js";
import { DataError } from "./data-error.js";
import { isList, numberAt } from "./numbers.js";
import { fromFlat, fromStrided } from "./strided.js";
import type { ByGet, Flat, MatrixLike, Strided } from "./types.js";

/** The forms of `MatrixLike` without records, columns by name and sparse matrices */
export type NumericLike =
  | Exclude<MatrixLike, { readonly [column: string]: ArrayLike<number> } | readonly object[]>
  | readonly ArrayLike<number>[];

/** `source` as a dense matrix: rows of numbers, { rows, cols, data }, an ndarray, or a matrix of ml-matrix or mathjs */
export function numericMatrix(source: unknown): Matrix {
  if (isList(source)) {
    if (source.length === 0) throw new DataError("the array is empty; a matrix has at least one row.");
    return isList(source[0])
      ? fromLists(source as ArrayLike<unknown>)
      : fromStrided({ data: source as ArrayLike<number>, shape: [source.length] }).matrix;
  }
  const s = Object(source) as { readonly [name: string]: unknown };
  if (typeof s.rows === "number" && typeof s.columns === "number" && typeof s.get === "function") {
    const { rows, columns: cols } = s as unknown as ByGet;
    return filled(rows, cols, (i, j) => (s as unknown as ByGet).get(i, j));
  }
  if (s.data !== undefined && typeof s.data !== "function") {
    if ("shape" in s) return fromStrided(s as unknown as Strided).matrix;
    if (s.rows !== undefined && s.cols !== undefined) return fromFlat(s as unknown as Flat).matrix;
  }
  for (const method of [s.toArray, s.arraySync])
    if (typeof method === "function") return numericMatrix(method.call(source));
  const wanted = isPromise(source)
    ? "await it before"
    : "give an array of rows, {rows, cols, data} or {data, shape, strides}";
  throw new DataError(`a matrix is needed, this is ${described(source)}; ${wanted}.`);
}

function fromLists(source: ArrayLike<unknown>): Matrix {
  const row = (i: number): ArrayLike<unknown> => source[i] as ArrayLike<unknown>;
  const cols = row(0).length;
  for (let i = 0; i < source.length; i++) {
    const length = isList(source[i]) ? row(i).length : "no";
    if (length !== cols) throw new DataError(`row ${i} has ${length} numbers, row 0 has ${cols}.`);
  }
  return filled(source.length, cols, (i, j) => row(i)[j]);
}

function filled(rows: number, cols: number, at: (i: number, j: number) => unknown): Matrix {
  const data = new Float64Array(rows * cols);
  for (let i = 0, k = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) data[k++] = numberAt(at(i, j), () => `entry (${i}, ${j})`);
  }
  return { rows, cols, data };
}
