/** Numbers separated by commas, semicolons, tabs or blanks; quoted fields [RFC 4180]; '#' begins a line of comment. */
import { allBut, hasNames, type Label, labelPlace, placesOf, type ReadOptions, type Table } from "@expen/linalg";
import { DataError, type Loaded, lines, notFinite, numberList, type TextReader } from "./loaded.js";

/** Lines of a quoted cell at most; a longer one is an unclosed quote. */
const LONGEST_QUOTE = 100;
/** Columns that an error message lists at most */
const MOST_SHOWN = 12;

/** Cells that stand for no number, besides empty ones; nan does too, and is read as it is by default. */
const GAP = /^(na|n\/a|null|none|\?|-)$/i;

/** Text in columns that are not chosen is ignored. */
export function csvReader({ columns: chosen, gaps, labels }: ReadOptions = {}): TextReader<Table> {
  const numbers = numberList();
  const notes: string[] = [];
  let [rows, cols, first] = [0, 0, true];
  let names: string[] | undefined;
  /** of the columns to read */
  let places: number[] = [];
  let label: number | undefined;
  const labelsOfRows: string[] = [];
  let separator = "";
  let [pending, pendingFrom] = ["", 0]; // a record with an open quote
  let [commas, strange, gap] = [0, 0, 0];

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
      label = labelPlace(labels, cols, names);
      places = placesOf(chosen ?? allBut(cols, label), cols, names);
      if (names) return;
    }
    if (cells.length !== cols) {
      throw new DataError(`line ${line} has ${cells.length} cells where ${cols} are expected; make all lines as long.`);
    }
    if (gaps && takesGaps(cells, line)) return;
    for (const j of places) {
      const v = value(cells[j]!);
      numbers.push(Number.isNaN(v) ? checked(cells, line, j) : v);
    }
    if (label !== undefined) labelsOfRows.push(cells[label]!.trim());
    rows++;
  }

  /** Counts the gaps of a row; whether the row is left out for them */
  function takesGaps(cells: readonly string[], line: number): boolean {
    const count = places.filter((j) => isGap(cells[j]!)).length;
    if (count > 0 && gaps === "refuse") {
      const j = places.find((j) => isGap(cells[j]!))!;
      throw new DataError(
        `line ${line}, column ${j + 1} is a gap; fill it in, or leave such rows out (gaps: drop; --gaps drop in the shell).`,
      );
    }
    if (count === 0 || gaps !== "drop") {
      gap += count;
      return false;
    }
    gap++;
    return true;
  }

  /** Whether cells are a header: words in all columns to read, or one of the requested names, which may be a number such as a year */
  function isHeader(cells: readonly string[]): boolean {
    const isWord = (cell: string): boolean => Number.isNaN(value(cell)) && unusual(cell) === undefined;
    const known = new Set(cells.map((cell) => cell.trim()));
    const isName = (part: string): boolean => known.has(part) && (isWord(part) || Number(part) > cells.length);
    if (chosen?.some((part) => isName(String(part).trim()))) return true;
    if (typeof labels === "string" && known.has(labels.trim())) return true;
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
    if (gaps === "nan" && isGap(cell)) return Number.NaN;
    const v = unusual(cell);
    if (v === undefined) {
      if (isGap(cell)) {
        const what = cell.trim() === "" ? "is empty" : `is '${cell.trim()}'`;
        const rest = "fill it in, or leave such rows out (gaps: drop; --gaps drop in the shell)";
        throw new DataError(`line ${line}, column ${j + 1} ${what} where a number is needed; ${rest}.`);
      }
      const what = `has the text '${cell.trim().slice(0, 40)}'`;
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

  /** Texts, or numbers if all of them are */
  function labelsRead(): { labels: Label[] } {
    const values = labelsOfRows.map(value);
    return { labels: values.some(Number.isNaN) ? labelsOfRows : values };
  }

  return {
    push: source.push,
    end(): Loaded<Table> {
      source.end();
      if (pendingFrom !== 0) throw openQuote(pendingFrom);
      if (rows === 0 && gap > 0)
        throw new DataError("every row has a gap, so that none is left; choose other columns.");
      if (rows === 0) throw new DataError("the file holds no numbers.");
      if (gap > 0) notes.push(gaps === "drop" ? `${gap} rows have gaps and were left out` : `${gap} gaps read as NaN`);
      if (commas > 0) notes.push(`${commas} decimal commas read as points`);
      if (strange > 0) notes.push(`${strange} values are not finite`);
      const kept = { ...(names && { names: places.map((j) => names![j]!) }), ...(label !== undefined && labelsRead()) };
      return { matrix: { rows, cols: places.length, data: numbers.take(), ...kept }, notes };
    },
  };
}

export function readCsv(text: string, options: ReadOptions = {}): Loaded<Table> {
  const reader = csvReader(options);
  reader.push(text);
  return reader.end();
}

/** The text in pieces of some hundred rows, after a header if the columns have names. Reading restores the same numbers (−0 as 0). */
export function* csvText({ rows, cols, data, names }: Table, separator = ","): Generator<string> {
  if (names) yield `${names.map((name) => csvCell(name, separator)).join(separator)}\n`;
  const step = Math.max(1, Math.ceil(10_000 / Math.max(1, cols)));
  for (let from = 0; from < rows; from += step) {
    let text = "";
    for (let i = from; i < Math.min(rows, from + step); i++) {
      text += data.subarray(i * cols, (i + 1) * cols).join(separator) + "\n";
    }
    yield text;
  }
}

/** A text as a cell, quoted if it must be */
export const csvCell = (text: string, separator = ","): string =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

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

const isGap = (cell: string): boolean => {
  const text = cell.trim();
  return text === "" || text.toLowerCase() === "nan" || GAP.test(text);
};

/** The number in a cell; NaN for other text, including hexadecimal numbers and Infinity */
function value(cell: string): number {
  const v = Number(cell);
  if (v === 0 && cell.trim() === "") return Number.NaN;
  return Number.isFinite(v) && !/[xXoObB]/.test(cell) ? v : Number.NaN;
}
