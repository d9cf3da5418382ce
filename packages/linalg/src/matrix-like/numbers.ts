/** Single numbers among values of any kind, and what is said of a value that is none */
import { DataError } from "./data-error.js";
import type { Label, ReadOptions } from "./types.js";

export const isTyped = (x: unknown): x is ArrayLike<number> => ArrayBuffer.isView(x) && !(x instanceof DataView);
/** An array or a typed array */
export const isList = (x: unknown): x is ArrayLike<unknown> => Array.isArray(x) || isTyped(x);

/** Null, undefined, an empty text, or NaN */
const isGap = (v: unknown): boolean =>
  v === null || v === undefined || Number.isNaN(v) || (typeof v === "string" && v.trim() === "");

/** The labels of the rows that are kept */
export function labelsOf(
  rows: number,
  at: (i: number) => unknown,
  isLeftOut: ((i: number) => boolean) | undefined,
): { labels: Label[] } {
  const labels: Label[] = [];
  for (let i = 0; i < rows; i++) {
    if (isLeftOut?.(i)) continue;
    const label = at(i);
    if (isGap(label) || (typeof label !== "number" && typeof label !== "string")) {
      throw new DataError(`the label of row ${i} is ${shownValue(label)}; it must be a text or a number.`);
    }
    labels.push(typeof label === "string" ? label.trim() : label);
  }
  return { labels };
}

/** `v` as a number; `place` says where it is, if it is none */
export function numberAt(v: unknown, place: () => string): number {
  if (typeof v === "number") return v;
  if (typeof v === "bigint") return Number(v);
  throw new DataError(`${place()} is ${shownValue(v)}; ${remedy(v)}`);
}

function remedy(v: unknown): string {
  if (isGap(v)) return 'fill it in, or leave such rows out with { gaps: "drop" }.';
  if (typeof v === "string") {
    return Number.isFinite(Number(v)) ? "it is a text, convert it with Number(…)." : "a number is needed.";
  }
  if (typeof v === "object" && v !== null && "re" in v && "im" in v) {
    return "it is complex, and a real number is needed; give the real and the imaginary parts as two matrices.";
  }
  return "a number is needed.";
}

/** A value as error messages show it: of lists and objects the kind alone */
export function shownValue(v: unknown): string {
  if (typeof v === "string") return JSON.stringify(v.slice(0, 40));
  return typeof v === "object" && v !== null ? (Array.isArray(v) ? "a list" : "an object") : String(v);
}

/** A rows×cols matrix of values of any kind, read row by row; rows with gaps are treated as asked. */
export function fromValues(
  rows: number,
  cols: number,
  at: (i: number, j: number) => unknown,
  gaps: ReadOptions["gaps"],
  place: (i: number, j: number) => string = (i, j) => `entry (${i}, ${j})`,
): { rows: number; data: Float64Array; notes: string[]; isLeftOut?: (i: number) => boolean } {
  const data = new Float64Array(rows * cols);
  const out = new Set<number>();
  let k = 0;
  let gap = 0;
  for (let i = 0; i < rows; i++) {
    const begin = k;
    for (let j = 0; j < cols; j++) {
      const v = at(i, j);
      if (gaps && isGap(v)) {
        if (gaps === "refuse") throw new DataError(`${place(i, j)} is ${shownValue(v)}; ${remedy(v)}`);
        gap++;
        if (gaps === "drop") {
          out.add(i);
          k = begin;
          break;
        }
        data[k++] = Number.NaN;
      } else data[k++] = typeof v === "number" ? v : numberAt(v, () => place(i, j));
    }
  }
  if (gaps !== "drop" || gap === 0) return { rows, data, notes: gap > 0 ? [`${gap} gaps read as NaN`] : [] };
  if (gap === rows) throw new DataError("every row has a gap, so that none is left; choose columns without gaps.");
  const notes = [`${gap} of ${rows} rows have gaps and were left out`];
  return { rows: rows - gap, data: data.slice(0, k), notes, isLeftOut: (i) => out.has(i) };
}
