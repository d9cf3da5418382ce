/** Numbers separated by commas, semicolons, tabs, bars or blanks; quoted fields [RFC 4180]; '#' begins a line of comment. */
import { allBut, hasNames, type Label, labelPlace, placesOf, type ReadOptions, type Table } from "@expen/linalg";
import { isGap, numberIn, otherNumber, remedyFor } from "./csv-cells.js";
import { csvCell, namesIn, recordReader } from "./csv-records.js";
import { DataError, type Loaded, numberList, type TextReader } from "./loaded.js";
import { textOf } from "./text-decoder.js";

/** Columns that an error message lists at most */
const MOST_SHOWN = 12;

/** Text in columns that are not chosen is ignored. */
export function csvReader({ columns: choice, gaps, labels }: ReadOptions = {}): TextReader<Table> {
  const numbers = numberList();
  const notes: string[] = [];
  let [rows, cols, gap] = [0, 0, 0];
  let names: string[] | undefined;
  /** the line of the header, or of the first row without one */
  let firstLine = 0;
  /** whether the last cell of the header, or the first one, is empty */
  let [lastIsEmpty, firstCounts] = [false, false];
  /** of the columns to read */
  let places: number[] = [];
  let label: number | undefined;
  const labelsOfRows: string[] = [];
  let separator = "";
  /** numbers in other spellings, by the spelling */
  const others = new Map<string, number>();

  const source = recordReader((cells, line, own) => {
    separator = own;
    if (firstLine === 0) takeFirst(cells, line);
    else takeRow(cells, line);
  });

  function takeFirst(cells: string[], line: number): void {
    firstLine = line;
    cols = cells.length;
    if (isHeader(cells)) {
      names = namesIn(cells);
      notes.push(`line ${line} is a header: ${names.join(", ")}`.slice(0, 200));
      const isEmpty = cells.map((cell) => cell.trim() === "");
      lastIsEmpty = isEmpty.at(-1)!;
      firstCounts = isEmpty[0]!;
    }
    choosePlaces();
    if (!names) takeRow(cells, line);
  }

  function choosePlaces(): void {
    label = labelPlace(labels, cols, names);
    places = placesOf(choice ?? allBut(cols, label), cols, names);
  }

  function takeRow(cells: string[], line: number): void {
    const endsEmpty = separator !== " " && cells.at(-1)!.trim() === "";
    if (names && lastIsEmpty && endsEmpty && rows + gap === 0 && cells.length === cols) {
      // each line ends in a separator
      cols--;
      names.pop();
      choosePlaces();
    }
    if (names && endsEmpty && cells.length === cols + 1) cells.pop();
    if (cells.length !== cols) throw unequal(cells, line);
    if (gaps && takesGaps(cells, line)) return;
    for (const j of places) {
      const v = numberIn(cells[j]!);
      numbers.push(Number.isNaN(v) ? checked(cells, line, j) : v);
    }
    if (label !== undefined) labelsOfRows.push(cells[label]!.trim());
    firstCounts &&= Math.abs(numberIn(cells[0]!) - rows - 0.5) === 0.5 && places.includes(0) && cols > 1;
    rows++;
  }

  function unequal(cells: readonly string[], line: number): DataError {
    const has = `line ${line} has ${cells.length} ${cells.length === 1 ? "cell" : "cells"} where ${cols} are expected`;
    return new DataError(`${has}; ${remedy()}.`);

    function remedy(): string {
      if (separator === "," && cells.length === 2 * cols) return "decimal commas need semicolons between the columns";
      if (names && rows + gap === 0) {
        return cells.length === cols + 1
          ? `name the first column in line ${firstLine} too, if it is the names of the rows`
          : `remove line ${firstLine}, if it is a title, or begin it with '#'`;
      }
      return "make all lines as long";
    }
  }

  /** Counts the gaps of a row; whether the row is left out for them */
  function takesGaps(cells: readonly string[], line: number): boolean {
    const count = places.filter((j) => isGap(cells[j]!)).length;
    if (count > 0 && gaps === "refuse") {
      throw missing(cells, line, places.find((j) => isGap(cells[j]!))!);
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
    const isWord = (cell: string): boolean =>
      Number.isNaN(numberIn(cell)) && otherNumber(cell, separator) === undefined;
    const known = new Set(cells.map((cell) => cell.trim()));
    const isName = (part: string): boolean => known.has(part) && (isWord(part) || Number(part) > cells.length);
    if (choice?.some((part) => isName(String(part).trim()))) return true;
    if (typeof labels === "string" && known.has(labels.trim())) return true;
    const read = choice && !hasNames(choice) ? placesOf(choice, cells.length).map((j) => cells[j]!) : cells;
    return read.every(isWord);
  }

  function checked(cells: readonly string[], line: number, j: number): number {
    const cell = cells[j]!;
    if (gaps === "nan" && isGap(cell)) return Number.NaN;
    const other = otherNumber(cell, separator);
    if (other) {
      others.set(other.what, (others.get(other.what) ?? 0) + 1);
      return other.v;
    }
    if (isGap(cell)) throw missing(cells, line, j);
    const what = `has the text '${cell.trim().slice(0, 40)}'`;
    const hint = names ? ` (the column is '${names[j]}')` : "";
    const text = `line ${line}, column ${j + 1} ${what} where a number is needed${hint}`;
    throw new DataError(`${text}; ${remedyFor(cell)} or leave the column out${choosing(cells)}.`);
  }

  /** The columns of a row with numbers, as an option of the library and of the command line */
  function choosing(cells: readonly string[]): string {
    const isNumber = (cell: string): boolean =>
      !Number.isNaN(numberIn(cell)) || otherNumber(cell, separator) !== undefined;
    const numeric = places.filter((j) => isNumber(cells[j]!));
    if (numeric.length === 0 || cells.length > MOST_SHOWN) return " (columns: […], or --columns)";
    const ofName = numeric.map((j) => (names ? `"${names[j]}"` : j + 1)).join(", ");
    return `: columns: [${ofName}], or --columns ${numeric.map((j) => j + 1).join(",")}`;
  }

  /** Texts, or numbers if all of them are */
  function labelsRead(): { labels: Label[] } {
    const values = labelsOfRows.map(numberIn);
    return { labels: values.some(Number.isNaN) ? labelsOfRows : values };
  }

  return {
    push: source.push,
    end(): Loaded<Table> {
      source.end();
      if (rows === 0 && gap > 0)
        throw new DataError("every row has a gap, so that none is left; choose other columns.");
      if (rows === 0) throw new DataError(`the file holds no numbers${names ? ", only the names of columns" : ""}.`);
      if (gap > 0) notes.push(gaps === "drop" ? `${gap} rows have gaps and were left out` : `${gap} gaps read as NaN`);
      for (const [what, count] of others) notes.push(`${count} ${what}`);
      if (firstCounts)
        notes.push(
          `column 1 has no name and counts the rows; leave it out by --columns 2-${cols}, or columns: ["2-${cols}"]`,
        );
      const extras = {
        ...(names && { names: places.map((j) => names![j]!) }),
        ...(label !== undefined && labelsRead()),
      };
      return { matrix: { rows, cols: places.length, data: numbers.take(), ...extras }, notes };
    },
  };
}

/** The numbers in a text, or in the bytes of a file, whose letters may be UTF-8, UTF-16 or Windows-1252 */
export function readCsv(source: string | Uint8Array, options: ReadOptions = {}): Loaded<Table> {
  const reader = csvReader(options);
  const { text, notes: ofLetters } = typeof source === "string" ? { text: source, notes: [] } : textOf(source);
  reader.push(text);
  const { matrix, notes } = reader.end();
  return { matrix, notes: [...ofLetters, ...notes] };
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

function missing(cells: readonly string[], line: number, j: number): DataError {
  const cell = cells[j]!.trim();
  const what = cell === "" ? "is empty" : `is '${cell}'`;
  const rest = "fill it in, or leave such rows out (gaps: drop; --gaps drop in the shell)";
  return new DataError(`line ${line}, column ${j + 1} ${what} where a number is needed; ${rest}.`);
}
