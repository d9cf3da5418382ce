/** A table of a CSV file: its columns of numbers, and those of few words, which are classes. */
import { type CellsOfLine, namesIn, numberOf, recordsOf } from "@expen/data";
import { eigh } from "./symmetric.js";

export interface Table {
  names: string[];
  rows: number[][];
  /** by the name of their column: the class of each row */
  classes: Record<string, string[]>;
  /** rows that were left out, as a number is missing in them */
  left: number;
}

/** values of a column of classes */
const MOST_CLASSES = 12;
/** columns of numbers: more are slow to see and to turn */
const MOST_COLUMNS = 60;

/** The table in a text, or in the bytes of a file */
export function readTable(source: string | Uint8Array): Table {
  const records = recordsOf(source);
  if (records.length < 4)
    throw new Error(`the table has ${records.length} lines; give a header and three rows or more.`);
  const [first] = records as [CellsOfLine];
  const number = (text: string): number | undefined => numberOf(text, first.separator);
  const hasHeader = first.cells.some((cell) => number(cell) === undefined);
  const header = namesIn(hasHeader ? first.cells : first.cells.map(() => ""));
  const body = hasHeader ? records.slice(1) : records;
  const wrong = body.find(({ cells }) => cells.length !== header.length);
  if (wrong) {
    const { cells, line } = wrong;
    throw new Error(`line ${line} has ${cells.length} fields, but the first line has ${header.length}; mend the line.`);
  }
  const columns = header.map((_, j) => body.map(({ cells }) => cells[j]!.trim()));
  // a text that is no gap makes a column one of words
  const isNumeric = columns.map((values) => values.every((v) => number(v) !== undefined));
  const isClass = columns.map((values) => new Set(values).size <= MOST_CLASSES && new Set(values).size > 1);
  const isIdentical = columns.map((values) => new Set(values).size < 2);
  // whole numbers of few values in the last column are classes, as data sets have them
  const last = header.length - 1;
  const measured = header.flatMap((_, j) => {
    const isRepeated = new Set(columns[j]).size <= body.length / 3;
    const isLabel = j === last && isClass[j] && isRepeated && columns[j]!.every((v) => /^\d+$/.test(v));
    return isNumeric[j] && !isIdentical[j] && !isLabel ? [j] : [];
  });
  if (measured.length < 3) {
    throw new Error(`the table has ${measured.length} columns of numbers that vary; a tour needs three or more.`);
  }
  if (measured.length > MOST_COLUMNS) {
    throw new Error(
      `the table has ${measured.length} columns of numbers; a tour takes ${MOST_COLUMNS}, so choose some.`,
    );
  }
  const isWhole = body.map(({ cells }) => measured.every((j) => Number.isFinite(number(cells[j]!))));
  const kept = body.filter((_, i) => isWhole[i]).map(({ cells }) => cells.map((cell) => cell.trim()));
  if (kept.length < 3)
    throw new Error(`${kept.length} rows have a number in every column; a tour needs three or more.`);
  const classes = header.flatMap((name, j) =>
    isClass[j] && !measured.includes(j) ? [[name, kept.map((row) => row[j] || "–")] as const] : [],
  );
  return {
    names: measured.map((j) => header[j]!),
    rows: kept.map((row) => measured.map((j) => number(row[j]!)!)),
    classes: Object.fromEntries(classes),
    left: body.length - kept.length,
  };
}

/** Columns with mean 0 and variance 1 */
export function standardise(rows: readonly (readonly number[])[]): number[][] {
  const n = rows.length;
  const mean = rows[0]!.map((_, j) => rows.reduce((sum, row) => sum + row[j]!, 0) / n);
  const deviation = mean.map(
    (m, j) => Math.sqrt(rows.reduce((sum, row) => sum + (row[j]! - m) ** 2, 0) / (n - 1)) || 1,
  );
  return rows.map((row) => row.map((v, j) => (v - mean[j]!) / deviation[j]!));
}

/** Directions with less of the variance than this share are rounding or repetitions of others. */
const LEAST_SHARE = 1e-6;

/** Z·C^(−1/2) for the covariance C of standardised rows: no direction has more variance than another, and the axes stay near their own. */
export function sphere(rows: readonly (readonly number[])[]): number[][] {
  const [n, d] = [rows.length, rows[0]!.length];
  const C = Array.from({ length: d }, (_, i) =>
    Array.from({ length: d }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0) / (n - 1)),
  );
  const { values, vectors } = eigh(C);
  const root = values.map((v) => (v > LEAST_SHARE * d ? 1 / Math.sqrt(v) : 0));
  const W = vectors.map((a) => vectors.map((b) => a.reduce((sum, v, k) => sum + v * root[k]! * b[k]!, 0)));
  return rows.map((row) => W.map((column) => column.reduce((sum, v, k) => sum + v * row[k]!, 0)));
}
