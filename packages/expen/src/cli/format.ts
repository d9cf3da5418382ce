/** Numbers and tables for people, documents for machines. */

export const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** Value of a function: enough digits to compare */
export const value = (x: number | null): string =>
  x === null ? "" : Number.isFinite(x) ? x.toPrecision(10) : String(x);
/** A small number: 4.21e-7 */
export const small = (x: number | null): string => (x === null ? "" : x === 0 ? "0" : x.toExponential(2));

export function duration(seconds: number): string {
  if (seconds < 0.0995) return `${(seconds * 1000).toPrecision(2)} ms`;
  if (seconds < 99.5) return `${seconds.toPrecision(3)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const width = (text: string): number => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
  const bare = text.replace(/\u001b\[[0-9;]*m/g, "");
  // combining marks take no room either
  return [...bare.normalize("NFC")].filter((c) => !/\p{M}/u.test(c)).length;
};

const pad = (text: string, to: number, left: boolean): string => {
  const space = " ".repeat(Math.max(0, to - width(text)));
  return left ? text + space : space + text;
};

/** Columns aligned: the first to the left, numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], leftColumns = 1): string {
  const all = [head, ...rows];
  const widths = head.map((_, j) => Math.max(...all.map((row) => width(row[j] ?? ""))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, j) => pad(cell, widths[j]!, j < leftColumns))
      .join("  ")
      .trimEnd();
  const rule = widths.map((w) => "─".repeat(w)).join("──");
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** "name   value" lines, names of one width */
export function pairs(rows: readonly (readonly [string, string])[]): string {
  const longest = Math.max(...rows.map(([name]) => width(name)));
  return rows.map(([name, text]) => `${pad(name, longest, true)}  ${text}`).join("\n");
}

const BARS = "▁▂▃▄▅▆▇█";

/** The last `length` numbers as bars on a logarithmic scale */
export function sparkline(values: readonly number[], length: number): string {
  const logs = values.filter((v) => v > 0).map(Math.log10);
  if (logs.length === 0) return "";
  const step = Math.max(1, logs.length / length);
  const picked = Array.from({ length: Math.min(length, logs.length) }, (_, i) => logs[Math.floor(i * step)]!);
  const [low, high] = [Math.min(...picked), Math.max(...picked)];
  const scale = high > low ? (BARS.length - 1) / (high - low) : 0;
  return picked.map((v) => BARS[Math.round((v - low) * scale)]).join("");
}
