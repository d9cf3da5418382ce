/** Some columns of a table, chosen by name or by number from 1. */
import { requireMemoryFor } from "../memory/require.js";
import { nearest } from "../nearest.js";
import { quoted } from "../options.js";
import { DataError } from "./data-error.js";
import type { ColumnChoice, Table } from "./types.js";

/** A choice that the table does not have; the sentence begins with the word columns. */
export class ColumnError extends DataError {
  /** `wanted`: a name that is not among the names of the columns, `known`; these are undefined if the columns have none */
  constructor(
    message: string,
    readonly wanted?: string | undefined,
    readonly known?: readonly string[] | undefined,
  ) {
    super(message);
  }
}

const RANGE = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/;

/** Whether the choice has names, which need a header */
export const hasNames = (choice: ColumnChoice): boolean => choice.some((part) => !RANGE.test(String(part)));

/** Throws unless the choice is a list of names and numbers. */
export function requireChoice(choice: unknown): void {
  const isPart = (part: unknown): boolean => typeof part === "string" || typeof part === "number";
  if (Array.isArray(choice) && choice.length > 0 && choice.every(isPart)) return;
  const empty = Array.isArray(choice) && choice.length === 0 ? "an empty list" : quoted(choice);
  throw new ColumnError(
    `columns is ${empty}; it must be a list of names and of numbers from 1, as in ["petal_length", 3].`,
  );
}

/** Indices of the chosen columns among `count`; `names`: the header, if any */
export function placesOf(choice: ColumnChoice, count: number, names?: readonly string[]): number[] {
  return choice.flatMap((part) => {
    const place = names?.indexOf(String(part).trim()) ?? -1;
    if (place >= 0) return [place];
    const range = RANGE.exec(String(part));
    if (!range) throw unknownName(String(part), names);
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (!(from >= 1 && to >= from && to <= count)) {
      throw new ColumnError(
        `columns is ${quoted(part)}; it must be numbers and ranges from 1 to ${count}, as in 1-4,7.`,
      );
    }
    return Array.from({ length: to - from + 1 }, (_, k) => from - 1 + k);
  });
}

/** The index of the column of labels; undefined without one. The sentence begins with the word labels. */
export function labelPlace(
  label: string | number | undefined,
  count: number,
  names?: readonly string[],
): number | undefined {
  if (label === undefined) return undefined;
  const place = names?.indexOf(String(label).trim()) ?? -1;
  if (place >= 0) return place;
  if (Number.isInteger(Number(label)) && Number(label) >= 1 && Number(label) <= count) return Number(label) - 1;
  const guess = names && nearest(String(label), names);
  const hint = guess ? `; did you mean '${guess}'? It` : "; it";
  throw new DataError(
    `labels is ${quoted(label)}${hint} must be one column, by ${names ? "name or " : ""}number from 1 to ${count}.`,
  );
}

/** All columns but that of the labels */
export const allBut = (count: number, label: number | undefined): ColumnChoice =>
  Array.from({ length: count }, (_, j) => j + 1).filter((j) => j - 1 !== label);

/** Names that an error message lists at most */
const MOST_SHOWN = 12;

/** The names in a message, if there are many the first of them */
export const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_SHOWN).join(", ") + (names.length > MOST_SHOWN ? `, … (${names.length} in all)` : "");

function unknownName(name: string, names?: readonly string[]): ColumnError {
  if (!names)
    return new ColumnError(`columns is '${name}', but the data have no names of columns; choose by numbers.`, name);
  const guess = nearest(name, names);
  const hint = guess ? `did you mean '${guess}'? T` : "t";
  return new ColumnError(`columns is '${name}'; ${hint}he columns are ${listed(names)}.`, name, names);
}

/** The chosen columns of a dense matrix, with their names */
export function ofDense({ rows, cols, data, names }: Table, choice: ColumnChoice): Table {
  const places = placesOf(choice, cols, names);
  requireMemoryFor(rows, places.length);
  const numbers = new Float64Array(rows * places.length);
  for (let i = 0, at = 0; i < rows; i++) for (const j of places) numbers[at++] = data[i * cols + j]!;
  return { rows, cols: places.length, data: numbers, ...(names && { names: places.map((j) => names[j]!) }) };
}
