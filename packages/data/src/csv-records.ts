/** Records of a file of text: separators, quotes, and files that are no tables */
import { DataError } from "./loaded.js";

/** In the order of certainty: semicolons, tabs and bars are no decimal signs, a comma may be one, and blanks may surround any separator. */
export function guessSeparator(record: string): string {
  const bare = record.replace(/"[^"]*"/g, "");
  return [";", "\t", "|", ","].find((s) => bare.includes(s)) ?? " ";
}

/** The separator in the line "sep=;", by which Excel begins files; undefined for other lines */
export function separatorLine(line: string): string | undefined {
  return /^"?sep=([;,|\t])"?[;,\s]*$/i.exec(line)?.[1];
}

export function quoteIsOpen(record: string): boolean {
  let open = false;
  for (let at = record.indexOf('"'); at >= 0; at = record.indexOf('"', at + 1)) open = !open;
  return open;
}

export function split(record: string, separator: string): string[] {
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
export function requireTable(line: string): void {
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
