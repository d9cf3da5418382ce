/** Numbers separated by commas, semicolons, tabs or blanks; quoted fields [RFC 4180]; '#' begins a line of comment. */
import type { Matrix } from "@expen/linalg";
import { type ColumnChoice, hasNames, placesOf } from "./columns.js";
import { DataError, type Loaded, lines, notFinite, numberList, type TextReader } from "./loaded.js";

/** Lines of a quoted cell at most; a longer one is an unclosed quote. */
const LONGEST_QUOTE = 100;
/** Columns that an error message lists at most */
const MOST_SHOWN = 12;

/** `chosen`: the columns to read; text in others is ignored. */
export function csvReader(chosen?: ColumnChoice): TextReader<Matrix> {
  const numbers = numberList();
  const notes: string[] = [];
  let [rows, cols, first] = [0, 0, true];
  let names: string[] | undefined;
  /** of the columns to read */
  let places: number[] = [];
  let separator = "";
  let [pending, pendingFrom] = ["", 0]; // a record with an open quote
  let [commas, strange] = [0, 0];

  const source = lines((line, number) => {
    if (pendingFrom === 0 && (line.trim() === "" || line.startsWith("#"))) return;
    const record = pendingFrom === 0 ? line : `${pending}\n${line}`;
    const from = pendingFrom || number;
    if (quoteIsOpen(record)) {
      if (number - from >= LONGEST_QUOTE) throw openQuote(from);
      [pending, pendingFrom] = [record, from];
      return;
    }
    [pending, pendingFrom] = ["", 0];
    take(record, from);
  });

  function take(record: string, line: number): void {
    separator ||= guessSeparator(record);
    const cells = split(record, separator);
    if (first) {
      first = false;
      cols = cells.length;
      if (isHeader(cells)) {
        names = cells.map((cell) => cell.trim());
        notes.push(`line ${line} is a header: ${names.join(", ")}`.slice(0, 200));
      }
      places = placesOf(chosen ?? [`1-${cols}`], cols, names);
      if (names) return;
    }
    if (cells.length !== cols) {
      throw new DataError(`line ${line} has ${cells.length} cells where ${cols} are expected; make all lines as long.`);
    }
    for (const j of places) {
      const v = value(cells[j]!);
      numbers.push(Number.isNaN(v) ? checked(cells, line, j) : v);
    }
    rows++;
  }

  /** Whether cells are a header: words in all columns to read, or one of the requested names, which may be a number such as a year */
  function isHeader(cells: readonly string[]): boolean {
    const isWord = (cell: string): boolean => Number.isNaN(value(cell)) && unusual(cell) === undefined;
    const known = new Set(cells.map((cell) => cell.trim()));
    const isName = (part: string): boolean => known.has(part) && (isWord(part) || Number(part) > cells.length);
    if (chosen?.some((part) => isName(String(part).trim()))) return true;
    const read = chosen && !hasNames(chosen) ? placesOf(chosen, cells.length).map((j) => cells[j]!) : cells;
    return read.every(isWord);
  }

  /** A number with a decimal comma, nan or inf; undefined for other text */
  function unusual(cell: string): number | undefined {
    const text = cell.trim();
    const comma = separator !== "," && /^[-+]?\d*,\d+([eE][-+]?\d+)?$/.test(text);
    return comma ? Number(text.replace(",", ".")) : notFinite(text);
  }

  function checked(cells: readonly string[], line: number, j: number): number {
    const cell = cells[j]!;
    const v = unusual(cell);
    if (v === undefined) {
      const what = cell.trim() === "" ? "is empty" : `has the text '${cell.trim().slice(0, 40)}'`;
      const named = names ? ` (the column is '${names[j]}')` : "";
      const text = `line ${line}, column ${j + 1} ${what} where a number is needed${named}`;
      throw new DataError(`${text}; correct it or leave the column out${choosing(cells)}.`);
    }
    if (Number.isFinite(v)) commas++;
    else strange++;
    return v;
  }

  /** The columns of a row with numbers, as an option of the library and of the command line */
  function choosing(cells: readonly string[]): string {
    const numeric = places.filter((j) => !Number.isNaN(value(cells[j]!)) || unusual(cells[j]!) !== undefined);
    if (numeric.length === 0 || cells.length > MOST_SHOWN) return " (columns: […], or --columns)";
    const ofName = numeric.map((j) => (names ? `"${names[j]}"` : j + 1)).join(", ");
    return `: columns: [${ofName}], or --columns ${numeric.map((j) => j + 1).join(",")}`;
  }

  return {
    push: source.push,
    end(): Loaded {
      source.end();
      if (pendingFrom !== 0) throw openQuote(pendingFrom);
      if (rows === 0) throw new DataError("the file holds no numbers.");
      if (commas > 0) notes.push(`${commas} decimal commas read as points`);
      if (strange > 0) notes.push(`${strange} values are not finite`);
      return { matrix: { rows, cols: places.length, data: numbers.take() }, notes };
    },
  };
}

export function readCsv(text: string, chosen?: ColumnChoice): Loaded {
  const reader = csvReader(chosen);
  reader.push(text);
  return reader.end();
}

/** The text in pieces of some hundred rows. Reading restores the same numbers (−0 as 0). */
export function* csvText({ rows, cols, data }: Matrix, separator = ","): Generator<string> {
  const step = Math.max(1, Math.ceil(10_000 / Math.max(1, cols)));
  for (let from = 0; from < rows; from += step) {
    let text = "";
    for (let i = from; i < Math.min(rows, from + step); i++) {
      text += data.subarray(i * cols, (i + 1) * cols).join(separator) + "\n";
    }
    yield text;
  }
}

const openQuote = (line: number): DataError =>
  new DataError(`the quote opened in line ${line} is not closed; close it or remove it.`);

/** In the order of certainty: semicolons and tabs are never decimal signs, a comma may be one, and blanks may surround any separator. */
function guessSeparator(record: string): string {
  const bare = record.replace(/"[^"]*"/g, "");
  return [";", "\t", ","].find((s) => bare.includes(s)) ?? " ";
}

function quoteIsOpen(record: string): boolean {
  let open = false;
  for (let at = record.indexOf('"'); at >= 0; at = record.indexOf('"', at + 1)) open = !open;
  return open;
}

function split(record: string, separator: string): string[] {
  if (!record.includes('"')) return separator === " " ? record.trim().split(/\s+/) : record.split(separator);
  const cells: string[] = [];
  let [cell, quoted] = ["", false];
  for (let i = 0; i < record.length; i++) {
    const c = record[i]!;
    if (c === '"') {
      if (quoted && record[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = !quoted;
    } else if (c === separator && !quoted) {
      // several blanks count as one separator
      if (separator !== " " || cell !== "") cells.push(cell);
      cell = "";
    } else cell += c;
  }
  if (separator !== " " || cell !== "") cells.push(cell);
  return cells;
}

/** The number in a cell; NaN for other text, including hexadecimal numbers and Infinity */
function value(cell: string): number {
  const v = Number(cell);
  if (v === 0 && cell.trim() === "") return Number.NaN;
  return Number.isFinite(v) && !/[xXoObB]/.test(cell) ? v : Number.NaN;
}
