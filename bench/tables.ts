/** Tables for the terminal and for Markdown, and the numbers in them. */

export type Table = { head: string[]; body: string[][] };

/** The text of a number, or a dash where there is none. */
export const orDash = (v: number | null | undefined, text: (v: number) => string): string =>
  v === null || v === undefined || Number.isNaN(v) ? "–" : text(v);

/** Seconds with so many decimals below 1, and as many digits above: 0.0123, 1.230, 12.30 */
export const secondsText = (v: number | null | undefined, decimals: number): string =>
  orDash(v, (s) => (s < 1 ? s.toFixed(decimals) : s.toPrecision(decimals)));

/** NaN of no values. */
export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);

export function textTable({ head, body }: Table): string {
  const widths = head.map((title, k) => Math.max(title.length, ...body.map((row) => row[k]!.length)));
  const line = (cells: string[]): string =>
    cells
      .map((cell, k) => (k === 0 || k === cells.length - 1 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
      .join("  ")
      .trimEnd();
  return [head, ...body].map(line).join("\n");
}

export function markdownTable({ head, body }: Table): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

/** A table with a row for each contender as one with a column for each: `shown` are the heads whose values are in a cell. */
export function byContender({ head, body }: Table, shown: readonly string[]): Table {
  const at = head.indexOf("contender");
  const contenders = [...new Set(body.map((row) => row[at]!))];
  const rows = new Map<string, string[]>();
  for (const row of body) {
    const cells = rows.get(row[0]!) ?? [...row.slice(0, at), ...contenders.map(() => "")];
    cells[at + contenders.indexOf(row[at]!)] = shown.map((name) => row[head.indexOf(name)]!).join("; ");
    rows.set(row[0]!, cells);
  }
  return { head: [...head.slice(0, at), ...contenders], body: [...rows.values()] };
}

/** Lines of a section of a page: heading, sentences and table with empty lines between them. */
export const section = (heading: string, ...blocks: readonly string[]): string[] =>
  [`## ${heading}`, ...blocks].flatMap((block) => [block, ""]);
