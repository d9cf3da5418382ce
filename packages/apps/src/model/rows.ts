/** New samples for a model: the columns it knows, by name or by number. */
import { checkData, type MatrixLike, matrixOf, ofDense, ProblemError, type Table, tableOf } from "@expen/linalg";

/** New samples with the n columns of the training samples; records are read by the names of these. A list of n numbers is one sample. */
export function rowsFor(where: string, source: MatrixLike, n: number, names?: readonly string[]): Table {
  const A = select(where, isSample(source, n) ? [source] : source, names);
  if (A.cols !== n) {
    const known = names ? ` (${names.join(", ")})` : "";
    const other = A.rows === n ? "; they look transposed" : "";
    throw new ProblemError(`${where}: the rows have ${A.cols} numbers, the model has ${n} columns${known}${other}.`);
  }
  checkData(where, "the rows", A, A.rows, n);
  return A;
}

const isSample = (source: MatrixLike, n: number): source is ArrayLike<number>[] & readonly number[] =>
  (Array.isArray(source) || ArrayBuffer.isView(source)) &&
  (source as ArrayLike<unknown>).length === n &&
  typeof (source as ArrayLike<unknown>)[0] === "number";

function select(where: string, source: MatrixLike, names?: readonly string[]): Table {
  if (!names) return matrixOf(where, "the rows", source);
  // records may have texts in columns that the model does not read
  if (areRecords(source)) return tableOf(where, "the rows", source, { columns: names }).matrix;
  const A = matrixOf(where, "the rows", source);
  if (!A.names || String(A.names) === String(names)) return A;
  const missing = names.find((name) => !A.names!.includes(name));
  if (missing === undefined) return ofDense(A, names);
  throw new ProblemError(
    `${where}: the rows have no column '${missing}', which the model has; their columns are ${A.names.join(", ")}.`,
  );
}

function areRecords(source: MatrixLike): boolean {
  const first: unknown = Array.isArray(source) ? source[0] : undefined;
  return typeof first === "object" && first !== null && !Array.isArray(first) && !ArrayBuffer.isView(first);
}
