/** Flat numbers with a shape: { rows, cols, data }, and the ndarrays of other libraries with their strides */
import { requireMemoryFor } from "../memory/require.js";
import { DataError } from "./data-error.js";
import { isList, isTyped, numberAt, shownValue } from "./numbers.js";
import type { Flat, Loaded, Strided, Table } from "./types.js";

export function fromFlat({ rows, cols, data, names }: Flat): Loaded<Table> {
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 0 || cols < 0) {
    throw new DataError(
      `rows and cols are ${shownValue(rows)} and ${shownValue(cols)}; they must be whole numbers, 0 or more.`,
    );
  }
  if (!isList(data)) throw new DataError("data must be an array of numbers.");
  if (names !== undefined && !(Array.isArray(names) && names.length === cols)) {
    throw new DataError(`names must be a list of ${cols} texts, one for each column.`);
  }
  const { matrix, notes } = fromStrided({ data, shape: [rows, cols] }, true);
  return { matrix: names ? { ...matrix, names } : matrix, notes };
}

/** Without a copy if the numbers are row-major, contiguous and Float64, otherwise a copy with a note */
export function fromStrided({ data, shape, stride, strides, offset = 0 }: Strided, exact = false): Loaded<Table> {
  for (const list of [shape, stride, strides]) {
    if (list !== undefined && !isList(list)) {
      throw new DataError("the shape and the strides of an array must be lists of numbers.");
    }
  }
  const sizes = Array.from(shape);
  if (sizes.length > 2)
    throw new DataError(`the array has ${sizes.length} dimensions (${sizes.join("×")}); reshape it to two.`);
  if (sizes.some((s) => !Number.isSafeInteger(s) || s < 0))
    throw new DataError(`the shape ${sizes.map(shownValue).join("×")} is none; sizes are whole numbers, 0 or more.`);
  if (!isList(data)) {
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
    throw new DataError(`the offset of an array is a whole number; it is ${shownValue(offset)}.`);
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
  if (rowMajor && offset === 0 && data.length === count && isTyped(data) && !isOfBigInts(data)) copy.set(data);
  else {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        copy[i * cols + j] = numberAt(data[offset + i * down + j * right], () => `entry (${i}, ${j})`);
      }
    }
  }
  return { matrix: { rows, cols, data: copy }, notes };
}

const isOfBigInts = (data: unknown): boolean => data instanceof BigInt64Array || data instanceof BigUint64Array;
