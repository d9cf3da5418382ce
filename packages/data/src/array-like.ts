/** Matrices of other libraries by their structure alone: ndarray, @stdlib/ndarray, numpy-ts, ml-matrix, nested arrays. */

import type { Matrix } from "@expen/linalg";
import { requireMemoryFor } from "@expen/linalg/memory";
import { DataError, type Loaded } from "./loaded.js";

interface Strided {
  readonly data: ArrayLike<number>;
  readonly shape: ArrayLike<number>;
  /** ndarray */
  readonly stride?: ArrayLike<number>;
  /** @stdlib/ndarray and numpy-ts, counted in numbers */
  readonly strides?: ArrayLike<number>;
  readonly offset?: number;
}

/** `source` as a matrix: without a copy if it is row-major, contiguous and Float64, otherwise a copy with a note */
export function asMatrix(source: unknown): Loaded {
  if (Array.isArray(source) || isTyped(source)) return fromRows(source as ArrayLike<unknown>);
  if (typeof source === "object" && source !== null) {
    const s = source as Record<string, unknown>;
    if ("data" in s && "shape" in s) return fromStrided(s as unknown as Strided);
    if ("data" in s && "rows" in s && "cols" in s) return fromFlat(s as unknown as Matrix);
    if ("data" in s && "rows" in s && "columns" in s && Array.isArray(s.data)) return fromRows(s.data);
  }
  const found = source === null ? "null" : `of type ${typeof source}`;
  throw new DataError(
    `a matrix is needed, this is ${found}; give {rows, cols, data}, {data, shape, strides} or an array of rows.`,
  );
}

const isTyped = (x: unknown): x is ArrayLike<number> & { constructor: { name: string } } =>
  ArrayBuffer.isView(x) && !(x instanceof DataView);

function fromFlat({ rows, cols, data }: { rows: number; cols: number; data: unknown }): Loaded {
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 0 || cols < 0) {
    throw new DataError(`rows and cols are ${shown(rows)} and ${shown(cols)}; they must be whole numbers, 0 or more.`);
  }
  if (!Array.isArray(data) && !isTyped(data)) throw new DataError("data must be an array of numbers.");
  return fromStrided({ data: data as ArrayLike<number>, shape: [rows, cols] }, true);
}

function fromStrided({ data, shape, stride, strides, offset = 0 }: Strided, exact = false): Loaded {
  for (const list of [shape, stride, strides]) {
    if (list !== undefined && !Array.isArray(list) && !isTyped(list)) {
      throw new DataError("the shape and the strides of an array must be lists of numbers.");
    }
  }
  const sizes = Array.from(shape);
  if (sizes.length > 2)
    throw new DataError(`the array has ${sizes.length} dimensions (${sizes.join("×")}); reshape it to two.`);
  if (sizes.some((s) => !Number.isSafeInteger(s) || s < 0))
    throw new DataError(`the shape ${sizes.map(shown).join("×")} is none.`);
  if (!Array.isArray(data) && !isTyped(data)) {
    throw new DataError("the data of the array is no typed array or list of numbers; copy it into a Float64Array.");
  }
  const [rows, cols] = [sizes[0] ?? 1, sizes[1] ?? 1];
  const steps = stride ?? strides;
  const [down, right] = [steps?.[0] ?? cols, steps?.[1] ?? 1];
  if (steps && (steps.length !== sizes.length || !Number.isInteger(down) || !Number.isInteger(right))) {
    throw new DataError(
      `the strides ${Array.from(steps).slice(0, 4).join(", ")} do not fit the shape ${sizes.join("×")}.`,
    );
  }
  if (!Number.isInteger(offset))
    throw new DataError(`the offset of an array is a whole number; it is ${shown(offset)}.`);
  const count = rows * cols;
  const ends = [
    offset,
    offset + (rows - 1) * down,
    offset + (cols - 1) * right,
    offset + (rows - 1) * down + (cols - 1) * right,
  ];
  if (exact && data.length !== count) {
    throw new DataError(`${rows}×${cols} need ${count} numbers, there are ${data.length}.`);
  }
  if (count > 0 && !(Math.min(...ends) >= 0 && Math.max(...ends) < data.length)) {
    throw new DataError(`shape ${sizes.join("×")} and strides reach outside the ${data.length} numbers there are.`);
  }
  const notes = sizes.length < 2 ? [`an array of ${sizes.length} dimensions taken for a ${rows}×${cols} matrix`] : [];
  const rowMajor = (right === 1 || cols <= 1) && (down === cols || rows <= 1);
  if (rowMajor && data instanceof Float64Array) {
    const whole = offset === 0 && data.length === count;
    return { matrix: { rows, cols, data: whole ? data : data.subarray(offset, offset + count) }, notes };
  }
  if (!rowMajor) notes.push("copied into row-major order");
  if (!(data instanceof Float64Array)) notes.push(`${data.constructor.name} converted to Float64Array`);
  requireMemoryFor(rows, cols);
  const copy = new Float64Array(count);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) copy[i * cols + j] = number(data[offset + i * down + j * right], i, j);
  }
  return { matrix: { rows, cols, data: copy }, notes };
}

/** An array of rows, or of numbers: a column. */
function fromRows(source: ArrayLike<unknown>): Loaded {
  if (source.length === 0) throw new DataError("the array is empty; a matrix has at least one row.");
  const first = source[0];
  if (!Array.isArray(first) && !isTyped(first)) {
    return fromStrided({ data: source as ArrayLike<number>, shape: [source.length] });
  }
  const [rows, cols] = [source.length, first.length];
  const row = (i: number): ArrayLike<unknown> => source[i] as ArrayLike<unknown>;
  for (let i = 0; i < rows; i++) {
    const length = Array.isArray(row(i)) || isTyped(row(i)) ? row(i).length : undefined;
    if (length !== cols) throw new DataError(`row ${i} has ${length ?? "no"} numbers, row 0 has ${cols}.`);
  }
  const data = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) data[i * cols + j] = number(row(i)[j], i, j);
  return { matrix: { rows, cols, data }, notes: [] };
}

function number(v: unknown, i: number, j: number): number {
  if (typeof v === "number") return v;
  if (typeof v === "bigint") return Number(v);
  throw new DataError(`entry (${i}, ${j}) is ${shown(v)}; a number is needed.`);
}

/** A value in a sentence: lists and objects by their kind alone */
function shown(v: unknown): string {
  if (typeof v === "string") return JSON.stringify(v.slice(0, 40));
  return typeof v === "object" && v !== null ? (Array.isArray(v) ? "a list" : "an object") : String(v);
}
