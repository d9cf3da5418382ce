/** Matrices: where their numbers lie, and of which kinds they are. Letters as in docs/notation.md. */

/** A dense matrix, row-major and contiguous: entry (i, j) is `data[i * cols + j]`. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  /** Do not keep this array across a call that may create a matrix: a WebAssembly memory that grows detaches it. */
  readonly data: Float64Array;
  /** the count of numbers that `read` gives, where that is not rows·cols: several matrices in one, or complex ones */
  readonly size?: number;
}

/** One of which may be known whether it equals its transpose to the last bit */
export type Inspected = Matrix & { readonly symmetric?: boolean };

/**
 * n×p: its rows are in host memory, on a device, or spread over processes. On a host engine `data` is the matrix itself, without a copy;
 * on others reading `data` is an error that says what to do: `E.read`, or engine operations.
 */
export interface Tall extends Matrix {
  readonly kind: "tall";
}

/** p×q: the same numbers in every process; on a device it stays there. */
export interface Small extends Matrix {
  readonly kind: "small";
}

/** A sparse matrix in compressed rows: row i has the entries pointers[i] … pointers[i+1] − 1 of `indices` (columns) and `values`. */
export interface Sparse {
  readonly rows: number;
  readonly cols: number;
  /** rows + 1 numbers, ascending from 0 */
  readonly pointers: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** A tridiagonal matrix T by its three diagonals, n×1 each: T[i, i−1] = lower[i], T[i, i] = main[i], T[i, i+1] = upper[i]. */
export interface Tridiagonal {
  readonly lower: Matrix;
  readonly main: Matrix;
  readonly upper: Matrix;
}
