/** Sparse matrices of other libraries: triplets, compressed rows, compressed columns */
import { isSparse, sparseFromTriplets, sparseTranspose } from "../arrays/sparse.js";
import type { Sparse } from "../contracts/matrix.js";
import { DataError } from "./data-error.js";
import { isList, numberAt, shownValue } from "./numbers.js";

type Fields = { readonly [name: string]: unknown };

/** undefined if the fields are those of no sparse matrix */
export function fromSparse(source: Fields): Sparse | undefined {
  if (isList(source.pointers)) return fromCompressed(source, source.pointers, source.indices, source.values, "csr");
  if (isList(source.indptr)) return fromCompressed(source, source.indptr, source.indices, source.data, source.format);
  // mathjs keeps the columns of a matrix one after the other, and so does its JSON
  if (isList(source._ptr))
    return fromCompressed({ shape: source._size }, source._ptr, source._index, source._values, "csc");
  if (isList(source.ptr)) return fromCompressed({ shape: source.size }, source.ptr, source.index, source.values, "csc");
  const [i, j] = [source.row ?? source.i, source.col ?? source.j];
  if (isList(i) && isList(j)) {
    const { rows, cols } = sizesOf(source);
    const values = numbersOf("values", source.data ?? source.values);
    return inOneSentence(() => sparseFromTriplets(rows, cols, numbersOf("row", i), numbersOf("col", j), values));
  }
  return undefined;
}

function fromCompressed(source: Fields, pointers: unknown, indices: unknown, values: unknown, format: unknown): Sparse {
  const { rows, cols } = sizesOf(source);
  const [at, index, numbers] = [
    numbersOf("pointers", pointers),
    numbersOf("indices", indices),
    numbersOf("values", values),
  ];
  const [ofRows, ofColumns] = [at.length === rows + 1, at.length === cols + 1];
  if (!ofRows && !ofColumns) {
    throw new DataError(
      `a ${rows}×${cols} sparse matrix has ${rows + 1} pointers in rows, or ${cols + 1} in columns; there are ${at.length}.`,
    );
  }
  if (format !== undefined && format !== "csr" && format !== "csc") {
    throw new DataError(`format is ${shownValue(format)}; it must be "csr" for rows or "csc" for columns.`);
  }
  if (format === undefined && ofRows && ofColumns) {
    throw new DataError('the sparse matrix is square, so its form is not known; give format: "csr" or format: "csc".');
  }
  const byColumns = format === undefined ? ofColumns : format === "csc";
  if (!(byColumns ? ofColumns : ofRows)) {
    throw new DataError(`${format} needs ${(byColumns ? cols : rows) + 1} pointers for a ${rows}×${cols} matrix.`);
  }
  const [lines, across] = byColumns ? [cols, rows] : [rows, cols];
  requirePointers(at, index, numbers, across);
  const isReady = !byColumns && isOurs(source) && isSparse(source);
  if (isReady) return source;
  const S: Sparse = {
    rows: lines,
    cols: across,
    pointers: Int32Array.from(at),
    indices: Int32Array.from(index),
    values: Float64Array.from(numbers),
  };
  return byColumns ? sparseTranspose(S) : S;
}

const isOurs = (source: Fields): source is Fields & Sparse =>
  source.pointers instanceof Int32Array &&
  source.indices instanceof Int32Array &&
  source.values instanceof Float64Array;

function requirePointers(
  pointers: ArrayLike<number>,
  indices: ArrayLike<number>,
  values: ArrayLike<number>,
  across: number,
): void {
  const count = values.length;
  if (indices.length !== count) {
    throw new DataError(`the sparse matrix has ${indices.length} indices and ${count} values; they must be as many.`);
  }
  for (let k = 1; k < pointers.length; k++) {
    if (pointers[k]! >= pointers[k - 1]!) continue;
    throw new DataError(`pointer ${k} of the sparse matrix is ${pointers[k]}, below the one before; they must ascend.`);
  }
  if (pointers[0] !== 0 || pointers[pointers.length - 1] !== count) {
    throw new DataError(
      `the pointers of the sparse matrix go from ${pointers[0]} to ${pointers[pointers.length - 1]}; they must go from 0 to ${count}.`,
    );
  }
  for (let k = 0; k < count; k++) {
    const index = indices[k]!;
    if (Number.isInteger(index) && index >= 0 && index < across) continue;
    throw new DataError(`index ${k} of the sparse matrix is ${index}; it must be 0 … ${across - 1}.`);
  }
}

function sizesOf({ shape, rows, cols }: Fields): { rows: number; cols: number } {
  const sizes = isList(shape) ? Array.from(shape) : [rows, cols];
  if (sizes.length === 2 && sizes.every((size) => Number.isSafeInteger(size) && (size as number) >= 0)) {
    return { rows: sizes[0] as number, cols: sizes[1] as number };
  }
  throw new DataError(
    `the sizes of the sparse matrix are ${sizes.map(shownValue).join("×")}; give shape: [rows, columns].`,
  );
}

function numbersOf(what: string, list: unknown): ArrayLike<number> {
  if (!isList(list))
    throw new DataError(`${what} of the sparse matrix is ${shownValue(list)}; give a list of numbers.`);
  if (!Array.isArray(list)) return list as ArrayLike<number>;
  return list.map((v, k) => numberAt(v, () => `number ${k} of ${what}`));
}

function inOneSentence<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DataError((error as Error).message, { cause: error });
  }
}
