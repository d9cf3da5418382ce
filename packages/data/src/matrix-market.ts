/**
 * Matrix Market: a header line, comments, sizes, then entries: all of them column by column (array), or with their
 * indices from 1 (coordinate). Symmetric and skew-symmetric matrices are stored as their lower triangle.
 * [https://math.nist.gov/MatrixMarket/formats.html]
 */

import type { Matrix, Sparse } from "@expen/linalg";
import { isSparse, sparseFromTriplets, sparseIsSymmetric } from "@expen/linalg/arrays";
import { requireMemoryFor } from "@expen/linalg/memory";
import { DataError, type Loaded, lines, notFinite, numberList, type TextReader } from "./loaded.js";

const KNOWN = {
  format: ["coordinate", "array"],
  field: ["real", "integer", "double", "pattern"],
  symmetry: ["general", "symmetric", "skew-symmetric"],
} as const;

interface Header {
  readonly format: string;
  readonly field: string;
  readonly symmetry: string;
}

/** coordinate → CSR, array → dense, from a file of `length` bytes */
export function matrixMarketReader(length: number): TextReader<Matrix | Sparse> {
  let header: Header | undefined;
  let body: Body | undefined;
  const source = lines((line, number) => {
    if (!header) header = parseHeader(line);
    else if (line.startsWith("%") || line.trim() === "") return;
    else if (!body) {
      const sizes = line.trim().split(/\s+/).map(Number);
      body = (header.format === "array" ? arrayBody : coordinateBody)(header, sizes, line, length);
    } else body.entry(line, number);
  });
  return {
    push: source.push,
    end() {
      source.end();
      if (!header) throw new DataError("the file is empty; a Matrix Market file begins with %%MatrixMarket.");
      if (!body) throw new DataError("the Matrix Market file ends before the line with its sizes.");
      return { matrix: body.end(), notes: notes(header) };
    },
  };
}

export function readMatrixMarket(text: string): Loaded<Matrix | Sparse> {
  const reader = matrixMarketReader(text.length);
  reader.push(text);
  return reader.end();
}

function notes({ field, symmetry }: Header): string[] {
  const texts: string[] = [];
  if (field === "pattern") texts.push("a pattern without values: every entry is 1");
  if (field === "integer") texts.push("integers converted to float64");
  if (symmetry !== "general") texts.push(`${symmetry}: the upper triangle is filled in`);
  return texts;
}

function parseHeader(line: string): Header {
  const [magic, object, format = "", field = "", symmetry = ""] = line.trim().toLowerCase().split(/\s+/);
  if (magic !== "%%matrixmarket" || object !== "matrix") {
    throw new DataError("this is no Matrix Market file: line 1 must begin with '%%MatrixMarket matrix'.");
  }
  const header = { format, field, symmetry };
  for (const key of ["format", "field", "symmetry"] as const) {
    if (!(KNOWN[key] as readonly string[]).includes(header[key])) {
      throw new DataError(
        `the Matrix Market ${key} '${header[key]}' is not supported; it must be ${KNOWN[key].join(", ")}.`,
      );
    }
  }
  if (format === "array" && field === "pattern") throw new DataError("an array of pattern type has no numbers.");
  return header;
}

interface Body {
  entry(line: string, number: number): void;
  end(): Matrix | Sparse;
}

function checkSizes(sizes: number[], count: number, symmetry: string, line: string): void {
  if (sizes.length !== count || sizes.some((s) => !Number.isSafeInteger(s) || s < 0)) {
    throw new DataError(`the line of sizes must have ${count} whole numbers; it is '${line.trim().slice(0, 60)}'.`);
  }
  if (symmetry !== "general" && sizes[0] !== sizes[1]) {
    throw new DataError(`a ${symmetry} matrix must be square; the file says ${sizes[0]}×${sizes[1]}.`);
  }
}

/** Throws if `expected` entries of at least `shortest` bytes each, with line break, exceed a file of `length` bytes. */
function checkEntries(expected: number, length: number, shortest: number): void {
  const most = Math.floor((length + 1) / shortest);
  if (expected > most) {
    throw new DataError(
      `the file is cut off: ${expected} entries announced, ${length} bytes hold no more than ${most}.`,
    );
  }
}

/** Indices are Int32. */
const LARGEST_INDEX = 2 ** 31 - 2;
/** Rows and columns for each entry at most, so that a short file cannot request gigabytes of pointers */
const SIDES_PER_ENTRY = 1000;
/** Rows and columns that are accepted for any number of entries */
const LEAST_LIMIT = 2 ** 20;

function checkIndices(rows: number, cols: number, entries: number): void {
  const most = Math.min(LARGEST_INDEX, Math.max(LEAST_LIMIT, SIDES_PER_ENTRY * entries));
  if (Math.max(rows, cols) > most) {
    throw new DataError(
      `a ${rows}×${cols} matrix of ${entries} entries is nearly empty; with so many entries it may have ${most} rows and columns.`,
    );
  }
}

function real(cell: string | undefined, number: number): number {
  const v = cell ? (notFinite(cell) ?? Number(cell)) : Number.NaN;
  if (Number.isNaN(v) && notFinite(cell ?? "") === undefined) {
    throw new DataError(`line ${number} has '${(cell ?? "").slice(0, 40)}' where a number is needed.`);
  }
  return v;
}

function arrayBody({ symmetry }: Header, sizes: number[], line: string, length: number): Body {
  checkSizes(sizes, 2, symmetry, line);
  const [rows, cols] = sizes as [number, number];
  const sign = symmetry === "skew-symmetric" ? -1 : 1;
  const top = (j: number): number => (symmetry === "general" ? 0 : sign < 0 ? j + 1 : j);
  const n = cols;
  const expected = symmetry === "general" ? rows * cols : sign < 0 ? (n * (n - 1)) / 2 : (n * (n + 1)) / 2;
  checkEntries(expected, length, 2);
  requireMemoryFor(rows, cols);
  const data = new Float64Array(rows * cols);
  let [i, j, count] = [top(0), 0, 0];
  return {
    entry(text, number) {
      for (const cell of text.trim().split(/\s+/)) {
        if (count === expected)
          throw new DataError(`line ${number}: there are more than the ${expected} entries announced.`);
        const v = real(cell, number);
        data[i * cols + j] = v;
        if (symmetry !== "general" && i !== j) data[j * cols + i] = sign * v;
        count++;
        if (++i === rows) i = top(++j);
      }
    },
    end() {
      if (count < expected) throw new DataError(`the file is cut off: ${expected} entries announced, ${count} found.`);
      return { rows, cols, data };
    },
  };
}

function coordinateBody({ field, symmetry }: Header, sizes: number[], line: string, length: number): Body {
  checkSizes(sizes, 3, symmetry, line);
  const [rows, cols, expected] = sizes as [number, number, number];
  checkEntries(expected, length, field === "pattern" ? 4 : 6);
  checkIndices(rows, cols, expected);
  const [I, J, V] = [numberList(), numberList(), numberList()];
  let count = 0;
  const pattern = field === "pattern";
  return {
    entry(text, number) {
      const cells = text.trim().split(/\s+/);
      if (cells.length !== (pattern ? 2 : 3)) {
        throw new DataError(
          `line ${number} has ${cells.length} cells; row, column${pattern ? "" : " and value"} are expected.`,
        );
      }
      if (count === expected)
        throw new DataError(`line ${number}: there are more than the ${expected} entries announced.`);
      count++;
      const [i, j, v] = [Number(cells[0]), Number(cells[1]), pattern ? 1 : real(cells[2], number)];
      if (!(Number.isInteger(i) && i >= 1 && i <= rows && Number.isInteger(j) && j >= 1 && j <= cols)) {
        throw new DataError(`line ${number}: place (${cells[0]}, ${cells[1]}) is outside the ${rows}×${cols} matrix.`);
      }
      if (symmetry !== "general" && i < j) {
        throw new DataError(
          `line ${number}: (${i}, ${j}) is above the diagonal of a ${symmetry} matrix; store the lower triangle.`,
        );
      }
      if (symmetry === "skew-symmetric" && i === j) {
        throw new DataError(`line ${number}: a skew-symmetric matrix has no entries on its diagonal.`);
      }
      I.push(i - 1);
      J.push(j - 1);
      V.push(v);
      if (symmetry !== "general" && i !== j) {
        I.push(j - 1);
        J.push(i - 1);
        V.push(symmetry === "symmetric" ? v : -v);
      }
    },
    end() {
      if (count < expected) throw new DataError(`the file is cut off: ${expected} entries announced, ${count} found.`);
      return sparseFromTriplets(rows, cols, I.take(), J.take(), V.take());
    },
  };
}

/** The text in pieces; a sparse symmetric matrix is stored as such. */
export function* matrixMarketText(A: Matrix | Sparse): Generator<string> {
  if (!isSparse(A)) {
    yield `%%MatrixMarket matrix array real general\n${A.rows} ${A.cols}\n`;
    for (let j = 0; j < A.cols; j++) {
      let column = "";
      for (let i = 0; i < A.rows; i++) column += `${A.data[i * A.cols + j]}\n`;
      yield column;
    }
    return;
  }
  const symmetric = sparseIsSymmetric(A);
  const isStored = (i: number, k: number): boolean => !symmetric || A.indices[k]! <= i;
  let count = 0;
  for (let i = 0; i < A.rows; i++)
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) if (isStored(i, k)) count++;
  yield `%%MatrixMarket matrix coordinate real ${symmetric ? "symmetric" : "general"}\n${A.rows} ${A.cols} ${count}\n`;
  for (let i = 0; i < A.rows; i++) {
    let row = "";
    for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) {
      if (isStored(i, k)) row += `${i + 1} ${A.indices[k]! + 1} ${A.values[k]}\n`;
    }
    if (row) yield row;
  }
}
