/** Compares what is needed with what there is, before anything is taken. */

import type { Engine } from "../contracts/engine.js";
import { environment } from "../environment.js";
import { digits } from "../numbers.js";
import { type Available, availableMemory, engineMemory } from "./available.js";
import type { Part } from "./need.js";

/** More memory would be needed than there is; said in one sentence, before any was taken. */
export class MemoryError extends Error {
  override name = "MemoryError";
}

/** Needs below this many bytes are not compared: to look would take longer than to fail. */
const SMALL = 2 ** 26;
/** Parts below this share of the whole are not named. */
const WORTH_A_WORD = 0.1;

const bytesOf = ({ count, rows, cols }: Part): number => (count === 0 ? 0 : 8 * count * rows * cols);
export const bytesNeeded = (parts: readonly Part[]): number => parts.reduce((total, part) => total + bytesOf(part), 0);
const inEngine = (part: Part): Part => ({ ...part, count: part.count - (part.plain ?? 0) });
/** A device finds dead matrices when it is short of memory, so that a certificate lies where the solver was. */
const onDevice = (part: Part): Part => ({ ...part, count: part.count - (part.plain ?? 0) - (part.after ?? 0) });
const inHost = (part: Part): Part => ({ ...part, count: part.plain ?? 0 });
/** A limit that a user has set counts, however small the need. */
const worthLooking = (need: number): boolean => !(need < SMALL) || !!environment.EXPEN_MEMORY;

/** 480 GB, 1.60 TB */
export function bytes(x: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
  let k = 0;
  while (k < units.length - 1 && Number((x / 1000 ** k).toPrecision(3)) >= 1000) k++;
  return `${k === 0 ? x : digits(x / 1000 ** k)} ${units[k]}`;
}

const saidOf = (there: Available): string => there.text.replace("*", bytes(there.bytes));

/** Throws a `MemoryError` if the parts of a run of n×p do not fit into the engine or into the process. */
export function requireMemory(
  n: number,
  p: number,
  parts: readonly Part[],
  engine?: Pick<Engine, "name" | "ranks" | "device">,
  available?: Available,
): void {
  if (!available && !worthLooking(bytesNeeded(parts))) return;
  const { ranks } = engine ?? {};
  const here = ranks && engine?.name === "mpi" ? parts.map((part) => ofRank(part, n, ranks.size)) : parts;
  const within = engine?.device ? onDevice : inEngine;
  compare(here.map(within), engineMemory(engine), ranks ? ", or more ranks" : ", or another engine");
  // matrices of a device are not in the memory of the process; ranks on one machine share what it has
  const held = engine?.device ? here.map(inHost) : here;
  const there = available ?? availableMemory();
  compare(held, ranks ? { ...there, bytes: there.bytes / ranks.local } : there, ranks && ", or more machines");

  function compare(parts: readonly Part[], there: Available, wayOut = ""): void {
    const need = bytesNeeded(parts);
    if (need <= there.bytes) return;
    const large = merged(parts).filter((part) => !(bytesOf(part) < WORTH_A_WORD * need));
    const mostly = bytesNeeded(large) < 0.99 * need ? "mostly " : "";
    const words = large.map(({ count, rows, cols }) => {
      const shape = rows === n && cols === p ? "" : ` ${rows}×${cols}`;
      return `${count} ${count === 1 ? "matrix" : "matrices"}${shape} of ${bytes(8 * rows * cols)}`;
    });
    throw new MemoryError(
      `n×p = ${n}×${p} needs about ${bytes(need)} (${mostly}${words.join(", ")}) but ${saidOf(there)}; ` +
        `take a smaller n or p${wayOut}.`,
    );
  }
}

/** Of matrices with n rows, and of others that are taller than wide, as parts of products are, a rank has its share. */
const ofRank = (part: Part, n: number, size: number): Part =>
  part.rows === n || part.rows > part.cols ? { ...part, rows: Math.ceil(part.rows / size) } : part;

/** For one matrix in plain numbers, of a user or of a file, or for as many at a time */
export function requireMemoryFor(rows: number, cols: number, copies = 1): void {
  const need = 8 * rows * cols * copies;
  if (!worthLooking(need)) return;
  const there = availableMemory();
  if (need <= there.bytes) return;
  throw new MemoryError(`${rows}×${cols} numbers need ${bytes(need)} but ${saidOf(there)}; take fewer of them.`);
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
