/** A shortage of memory in a sentence */

import { digits } from "../numbers.js";
import type { Available } from "./available.js";
import { bytesNeeded, bytesOf, type Part } from "./need.js";

/** Share of the total from which the message names a part. */
const NAMED_SHARE = 0.1;

/** 480 GB, 1.60 TB */
export function bytes(x: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
  let k = 0;
  while (k < units.length - 1 && Number((x / 1000 ** k).toPrecision(3)) >= 1000) k++;
  return `${k === 0 ? x : digits(x / 1000 ** k)} ${units[k]}`;
}

export const sentenceOf = (memory: Available): string => memory.text.replace("*", bytes(memory.bytes));

/** Which matrices need how much, and what there is */
export function shortage(n: number, p: number, parts: readonly Part[], memory: Available, wayOut: string): string {
  const need = bytesNeeded(parts);
  const large = merged(parts).filter((part) => !(bytesOf(part) < NAMED_SHARE * need));
  const mostly = bytesNeeded(large) < 0.99 * need ? "mostly " : "";
  const words = large.map(({ count, rows, cols }) => {
    const shape = rows === n && cols === p ? "" : ` ${rows}×${cols}`;
    return `${count} ${count === 1 ? "matrix" : "matrices"}${shape} of ${bytes(8 * rows * cols)}`;
  });
  return (
    `n×p = ${n}×${p} needs about ${bytes(need)} (${mostly}${words.join(", ")}) but ${sentenceOf(memory)}; ` +
    `take a smaller n or p${wayOut}.`
  );
}

/** Matrices of the same shape as one part, the largest part first */
function merged(parts: readonly Part[]): Part[] {
  const shapes = new Map<string, Part>();
  for (const { rows, cols, count } of parts) {
    const key = `${rows}×${cols}`;
    shapes.set(key, { rows, cols, count: count + (shapes.get(key)?.count ?? 0) });
  }
  return [...shapes.values()].sort((a, b) => bytesOf(b) - bytesOf(a));
}
