/** Lists of rows, lists of records, and columns by name, as JSON, tables and data frames have them */
import { requireMemoryFor } from "../memory/require.js";
import { allBut, labelPlace, placesOf } from "./column-choice.js";
import { DataError } from "./data-error.js";
import { fromValues, isList, labelsOf, shownValue } from "./numbers.js";
import type { Loaded, ReadOptions, Table } from "./types.js";

/** Columns that an error message lists at most */
const MOST_SHOWN = 12;

/** Rows of numbers, of one length; `names`: of their columns */
export function fromRows(
  source: ArrayLike<ArrayLike<unknown>>,
  { columns, gaps, labels }: ReadOptions,
  names?: readonly string[],
): Loaded<Table> {
  const [rows, width] = [source.length, source[0]!.length];
  for (let i = 0; i < rows; i++) {
    const row: unknown = source[i];
    const length = isList(row) ? row.length : undefined;
    if (length !== width) throw new DataError(`row ${i} has ${length ?? "no"} numbers, row 0 has ${width}.`);
  }
  const label = labelPlace(labels, width, names);
  const places = columns || label !== undefined ? placesOf(columns ?? allBut(width, label), width, names) : undefined;
  const cols = places?.length ?? width;
  requireMemoryFor(rows, cols);
  const read = fromValues(rows, cols, places ? (i, j) => source[i]![places[j]!] : (i, j) => source[i]![j], gaps);
  const columnNames = places && names ? places.map((j) => names[j]!) : names;
  const ofRows = label === undefined ? {} : labelsOf(rows, (i) => source[i]![label], read.isLeftOut);
  return {
    matrix: { rows: read.rows, cols, data: read.data, ...(columnNames && { names: columnNames }), ...ofRows },
    notes: read.notes,
  };
}

type Row = { readonly [column: string]: unknown };

/** Records, { sepal: 5.1, … }, with the keys of the first one as names of the columns */
export function fromRecords(source: ArrayLike<unknown>, o: ReadOptions): Loaded<Table> {
  const list = source as ArrayLike<Row>;
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] === "object" && list[i] !== null && !isList(list[i])) continue;
    throw new DataError(`row ${i} is ${shownValue(list[i])}; row 0 is a record, { name: number, … }.`);
  }
  const names = Object.keys(list[0]!);
  if (names.length === 0) throw new DataError("row 0 is a record without columns; give { name: number, … }.");
  return byName(names, list.length, (i, name) => list[i]![name], o);
}

/** An object of columns, { sepal: [5.1, …], … }; undefined if it is none */
export function fromColumns(source: object, o: ReadOptions): Loaded<Table> | undefined {
  const columns = Object.entries(source);
  const lists = columns.filter((entry): entry is [string, ArrayLike<unknown>] => isList(entry[1]));
  if (columns.length === 0 || lists.length < columns.length) return undefined;
  const [first, ...others] = lists;
  for (const [name, list] of others) {
    if (list.length === first![1].length) continue;
    throw new DataError(`column '${name}' has ${list.length} numbers, column '${first![0]}' has ${first![1].length}.`);
  }
  const table = Object.fromEntries(lists);
  return byName(
    lists.map(([name]) => name),
    first![1].length,
    (i, name) => table[name]![i],
    o,
  );
}

function byName(
  names: readonly string[],
  rows: number,
  at: (i: number, name: string) => unknown,
  { columns, gaps, labels }: ReadOptions,
): Loaded<Table> {
  if (rows === 0) throw new DataError("the table has no rows; a matrix has at least one.");
  const label = labelPlace(labels, names.length, names);
  const selection = placesOf(columns ?? allBut(names.length, label), names.length, names).map((j) => names[j]!);
  if (columns === undefined) requireNumeric(selection, (name) => at(0, name));
  requireMemoryFor(rows, selection.length);
  const place = (i: number, j: number): string => `'${selection[j]}' of row ${i}`;
  const read = fromValues(rows, selection.length, (i, j) => at(i, selection[j]!), gaps, place);
  const ofRows = label === undefined ? {} : labelsOf(rows, (i) => at(i, names[label]!), read.isLeftOut);
  return {
    matrix: { rows: read.rows, cols: selection.length, data: read.data, names: selection, ...ofRows },
    notes: read.notes,
  };
}

/** Throws for a column of words in the first row, with the other columns as a proposal. */
function requireNumeric(names: readonly string[], first: (name: string) => unknown): void {
  const isWord = (name: string): boolean => {
    const v = first(name);
    return typeof v === "boolean" || v instanceof Date || (typeof v === "string" && Number.isNaN(Number(v)));
  };
  const word = names.find(isWord);
  if (word === undefined) return;
  const others = names.filter((name) => !isWord(name));
  const some = others.length > 0 && others.length <= MOST_SHOWN ? others : [];
  const choice = some.length > 0 ? some.map((name) => JSON.stringify(name)).join(", ") : "…";
  throw new DataError(`'${word}' of row 0 is ${shownValue(first(word))}; leave the column out: columns: [${choice}].`);
}
