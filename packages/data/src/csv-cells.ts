/** Single cells of a file of text: numbers as people write them, gaps, and what is said of other texts */
import { notFinite } from "./loaded.js";

/**
 * Cells that stand for no number, besides empty ones, as R, SAS, SQL and spreadsheets write them; nan does too, and is read as it is by
 * default.
 */
const GAP = /^(na|n\/a|#n\/a|#na|<na>|null|nil|none|missing|\?|-|\.|#value!|#div\/0!|#ref!|#num!|#null!|#name\?)$/i;

export const isGap = (cell: string): boolean => {
  const text = cell.trim();
  return text === "" || text.toLowerCase() === "nan" || GAP.test(text);
};

/** The number in a cell; NaN for other text, including hexadecimal numbers and Infinity */
export function numberIn(cell: string): number {
  const v = Number(cell);
  if (v === 0 && cell.trim() === "") return Number.NaN;
  return Number.isFinite(v) && !/[xXoObB]/.test(cell) ? v : Number.NaN;
}

/** A number in another spelling, and the spelling in words */
export function otherNumber(cell: string, separator: string): { v: number; what: string } | undefined {
  const text = cell.trim();
  if (separator !== "," && /^[-+]?\d*,\d+([eE][-+]?\d+)?$/.test(text))
    return { v: Number(text.replace(",", ".")), what: "decimal commas read as points" };
  if (/^[-+]?\d*\.?\d*[dD][-+]?\d+$/.test(text) && /\d[.]?\d*[dD]/.test(text))
    return { v: Number(text.replace(/d/i, "e")), what: "exponents D read as E" };
  if (/^\u2212[\d.]/.test(text) && !Number.isNaN(numberIn(text.slice(1))))
    return { v: -Number(text.slice(1)), what: "minus signs read as -" };
  const v = notFinite(text);
  return v === undefined ? undefined : { v, what: "values are not finite" };
}

/** Texts that are nearly numbers, and the way to write them */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^[-+]?[\d.,]+\s*%$/, "write it without the percent sign"],
  [/^[-+]?\p{Sc}|\p{Sc}$/u, "write it without the sign of the currency"],
  [/^[-+]?\d{1,3}([.,'’\s]\d{3})+([.,]\d+)?$/, "write it without separators of thousands"],
  [/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/, "write the date as a number"],
  [/^(true|false|yes|no)$/i, "write 1 and 0"],
  [
    /^[-+]?[\d.]+(e[-+]?\d+)?\s*[-+]\s*[\d.]*(e[-+]?\d+)?[ij]$/i,
    "write its real and its imaginary part in columns of their own",
  ],
  [/^[-+]?\d[\d.,]*\s*[\p{L}°]+/u, "write the unit in the header alone"],
];

/** The advice about a text in the place of a number */
export const remedyFor = (cell: string): string =>
  REMEDIES.find(([pattern]) => pattern.test(cell.trim()))?.[1] ?? "correct it";

/** The number in a cell, in any spelling; NaN for a gap, undefined for another text */
export function numberOf(cell: string, separator: string): number | undefined {
  const v = numberIn(cell);
  if (!Number.isNaN(v)) return v;
  return isGap(cell) ? Number.NaN : otherNumber(cell, separator)?.v;
}
