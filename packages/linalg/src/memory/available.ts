/** Bytes that a run can have: the least limit of the machine, the container, a WebAssembly memory and the device of a browser. */

import type { Engine } from "../contracts/engine.js";
import { environment } from "../environment.js";
import { digits } from "../numbers.js";
import { type Available, memoryOfHost } from "./host.js";
import { bytesNeeded, bytesOf, type Part } from "./need.js";

export type { Available } from "./host.js";

/** 4 GiB: WebAssembly has 32-bit addresses. */
const WEBASSEMBLY: Available = { bytes: 2 ** 32, text: "a WebAssembly memory has *" };

const UNKNOWN: Available = { bytes: Number.POSITIVE_INFINITY, text: "there is *" };

/** The memory of the process: the smallest known limit, infinite if none is known. EXPEN_MEMORY, in GB, replaces it. */
export function availableMemory(): Available {
  const set = Number(environment.EXPEN_MEMORY || Number.NaN);
  if (set >= 0) return { bytes: 1e9 * set, text: "EXPEN_MEMORY allows *" };
  return memoryOfHost().reduce((least, a) => (a.bytes < least.bytes ? a : least), UNKNOWN);
}

/** The memory of the engine alone */
export function engineMemory(engine: Pick<Engine, "name" | "ranks" | "device"> | undefined): Available {
  if (engine?.device) return { bytes: engine.device.capacity, text: "the device has * free" };
  return (engine?.ranks?.inner ?? engine?.name) === "wasm" ? WEBASSEMBLY : UNKNOWN;
}

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
