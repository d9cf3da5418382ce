/** A matrix as {"rows", "cols", "data"} (row-major), an array of rows, an array of records, or in another form of `asMatrix`. */
import { asMatrix, type ReadOptions, type Table } from "@expen/linalg";
import { DataError, type Loaded } from "./loaded.js";

/** Columns that are not chosen may contain text. */
export function readJson(text: string, options: ReadOptions = {}): Loaded<Table> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(`this is no whole JSON document: ${(error as Error).message}.`);
  }
  requireNumbers(value);
  const { matrix, notes } = asMatrix(value, options);
  // the note on the conversion to Float64Array is omitted, since JSON has no such type
  return { matrix, notes: notes.filter((note) => !note.startsWith("Array converted")) };
}

/** Throws if strides of 0 repeat numbers, as only a view in memory may. */
function requireNumbers(value: unknown): void {
  const { data, shape } = (value ?? {}) as { data?: unknown; shape?: unknown };
  if (!Array.isArray(data) || !Array.isArray(shape)) return;
  const count = shape.reduce((product, size) => product * Number(size), 1);
  if (count > data.length) {
    throw new DataError(`the shape ${shape.slice(0, 4).join("×")} needs ${count} numbers, there are ${data.length}.`);
  }
}

export function* jsonText({ rows, cols, data, names }: Table): Generator<string> {
  if (!data.every(Number.isFinite)) {
    throw new DataError("JSON has no NaN and no infinity, which this matrix holds; save it as .npy.");
  }
  yield `{"rows":${rows},"cols":${cols},${names ? `"names":${JSON.stringify(names)},` : ""}"data":[`;
  const step = 10_000;
  for (let at = 0; at < data.length; at += step) {
    yield (at > 0 ? "," : "") + data.subarray(at, at + step).join(",");
  }
  yield "]}\n";
}
