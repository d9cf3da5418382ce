/** Records of a file of text: separators, quotes, and files that are no tables */
import { DataError, lines } from "./loaded.js";
import { textOf } from "./text-decoder.js";

/** Lines of a quoted cell at most; a longer one is an unclosed quote. */
const LONGEST_QUOTE = 100;

/** The cells of a record, the line in which it begins, and the separator */
type OnRecord = (cells: string[], line: number, separator: string) => void;

/** Records from a text in pieces; lines of comment and empty ones are left out. */
export function recordReader(onRecord: OnRecord): { push(text: string): void; end(): void } {
  let separator = "";
  let [pending, pendingFrom] = ["", 0]; // a record with an open quote
  const source = lines((line, number) => {
    if (number === 1) {
      requireTable(line);
      separator = separatorLine(line) ?? "";
      if (separator) return;
    }
    if (pendingFrom === 0 && (line.trim() === "" || line.startsWith("#"))) return;
    const record = pendingFrom === 0 ? line : `${pending}\n${line}`;
    const from = pendingFrom || number;
    if (quoteIsOpen(record)) {
      if (number - from >= LONGEST_QUOTE) throw openQuote(from);
      [pending, pendingFrom] = [record, from];
      return;
    }
    [pending, pendingFrom] = ["", 0];
    separator ||= guessSeparator(record);
    onRecord(split(record, separator), from, separator);
  });
  return {
    push: source.push,
    end() {
      source.end();
      if (pendingFrom !== 0) throw openQuote(pendingFrom);
    },
  };
}

const openQuote = (line: number): DataError =>
  new DataError(`the quote opened in line ${line} is not closed; close it or remove it.`);

/** A record of a text, with the line in which it begins */
export interface CellsOfLine {
  readonly cells: readonly string[];
  readonly line: number;
  readonly separator: string;
}

/** All records of a text, or of the bytes of a file */
export function recordsOf(source: string | Uint8Array): CellsOfLine[] {
  const records: CellsOfLine[] = [];
  const reader = recordReader((cells, line, separator) => records.push({ cells, line, separator }));
  reader.push(typeof source === "string" ? source : textOf(source).text);
  reader.end();
  return records;
}

/** In the order of certainty: semicolons, tabs and bars are no decimal signs, a comma may be one, and blanks may surround any separator. */
function guessSeparator(record: string): string {
  const bare = record.replace(/"[^"]*"/g, "");
  return [";", "\t", "|", ","].find((s) => bare.includes(s)) ?? " ";
}

/** The separator in the line "sep=;", by which Excel begins files; undefined for other lines */
function separatorLine(line: string): string | undefined {
  return /^"?sep=([;,|\t])"?[;,\s]*$/i.exec(line)?.[1];
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

/** A text as a cell, quoted if it must be */
export const csvCell = (text: string, separator = ","): string =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The first characters of files that are no tables, and what is said of them */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^PK\p{Cc}{2}/u, "the file is a zip archive, as a workbook of Excel is; save its sheet as CSV."],
  [/^.?NUMPY/, "the file is an array of NumPy; let its name end in .npy."],
  [/^%%MatrixMarket/, "the file is in the format Matrix Market; let its name end in .mtx."],
  [/^\s*<(!doctype|html|\?xml)/i, "the file is a page of the web or XML, and no table; download the table itself."],
  [/^\s*(\[\s*[[{\d-]|\[$|\{\s*"|\{$)/, "the file is JSON; let its name end in .json."],
];

/** Throws where the first line shows that the file is no table of text. */
function requireTable(line: string): void {
  const other = OTHERS.find(([pattern]) => pattern.test(line));
  if (other) throw new DataError(other[1]);
}

/** The cells of a header as names, each once: columns without a name are called by their number, further ones of a name are counted. */
export function namesIn(cells: readonly string[]): string[] {
  const count = new Map<string, number>();
  return cells.map((cell, j) => {
    const name = cell.trim() || `column ${j + 1}`;
    const times = (count.get(name) ?? 0) + 1;
    count.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}
