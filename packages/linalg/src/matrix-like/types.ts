/** The forms in which a caller may give a matrix, and the matrix that is made of it */
import type { Matrix, Sparse } from "../contracts/matrix.js";

/** A matrix whose columns may have names */
export interface Table extends Matrix {
  readonly names?: readonly string[];
  /** of the rows, from a column that is no part of the numbers */
  readonly labels?: readonly Label[];
}

/** A label of a row: its class, or its name */
export type Label = number | string;

/** ndarray, scijs, @stdlib/ndarray and numpy-ts: entry (i, j) is data[offset + i·strides[0] + j·strides[1]]; row-major without strides. */
export interface Strided {
  readonly data: ArrayLike<number | bigint>;
  readonly shape: ArrayLike<number>;
  /** ndarray */
  readonly stride?: ArrayLike<number>;
  /** @stdlib/ndarray and numpy-ts, counted in numbers */
  readonly strides?: ArrayLike<number>;
  readonly offset?: number;
}

/** Row-major numbers of any type */
export interface Flat {
  readonly rows: number;
  readonly cols: number;
  readonly data: ArrayLike<number | bigint>;
  readonly names?: readonly string[];
}

/** ml-matrix and its views */
export interface ByGet {
  readonly rows: number;
  readonly columns: number;
  get(i: number, j: number): number;
}

/** mathjs, tfjs: an object that copies itself into nested arrays */
export type Copyable = { toArray(): unknown } | { arraySync(): unknown };

/** Entries values[k] at (row[k], col[k]), as scipy.sparse.coo_array has them; entries of one place are summed. */
export type Triplets = ({ readonly shape: ArrayLike<number> } | { readonly rows: number; readonly cols: number }) &
  (
    | { readonly row: ArrayLike<number>; readonly col: ArrayLike<number> }
    | { readonly i: ArrayLike<number>; readonly j: ArrayLike<number> }
  ) &
  ({ readonly data: ArrayLike<number> } | { readonly values: ArrayLike<number> });

/** Compressed rows or columns, as scipy.sparse.csr_array and csc_array have them; a square matrix needs `format`. */
export interface Compressed {
  readonly format?: "csr" | "csc";
  readonly shape: ArrayLike<number>;
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly data: ArrayLike<number>;
}

/** A sparse matrix in any of the usual forms */
export type SparseLike = Sparse | Triplets | Compressed;

/**
 * A matrix as people hold it: rows of numbers, records ({ sepal: 5.1, … }[]), columns by name, a typed array with its shape, a matrix of
 * another library, or a sparse matrix. Row-major Float64 numbers are used as they are, everything else is copied.
 */
export type MatrixLike =
  | Matrix
  | Flat
  | Strided
  | ByGet
  | Copyable
  | SparseLike
  | readonly ArrayLike<number>[]
  | readonly object[]
  | { readonly [column: string]: ArrayLike<number> };

/** Names of columns, numbers from 1, and ranges of numbers as text: ["petal_length", 1, "3-4"] */
export type ColumnChoice = readonly (string | number)[];

/** The columns of a table that are read, and the treatment of gaps */
export interface ReadOptions {
  /** columns by name or by number from 1, ranges as text: ["petal_length", 1, "3-4"]; others may contain text */
  columns?: ColumnChoice;
  /** null, missing and NaN: an error, their rows left out, or NaN; default: null is an error, NaN stays */
  gaps?: "refuse" | "drop" | "nan";
  /** the column with a label for each row, by name or by number from 1: texts or numbers, which are not among those of the matrix */
  labels?: string | number;
}

/** The result of a reader: a matrix, and a note on each conversion or guess */
export interface Loaded<M = Matrix> {
  readonly matrix: M;
  readonly notes: string[];
}
