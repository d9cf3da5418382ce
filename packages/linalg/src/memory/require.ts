/** Compares needed with available memory, before any allocation. */

import type { Engine } from "../contracts/engine.js";
import { environment } from "../environment.js";
import { digits } from "../numbers.js";
import { type Available, availableMemory, engineMemory } from "./available.js";
import type { Part } from "./need.js";

/** A run would need more memory than is available; thrown before any allocation. */
export class MemoryError extends Error {
  override name = "MemoryError";
}

/** Bytes below which no comparison is made: the query of the system takes longer than a failing allocation. */
const SMALL = 2 ** 26;
/** Share of the total from which the message names a part. */
const NAMED_SHARE = 0.1;

const bytesOf = ({ count, rows, cols }: Part): number => (count === 0 ? 0 : 8 * count * rows * cols);
export const bytesNeeded = (parts: readonly Part[]): number => parts.reduce((total, part) => total + bytesOf(part), 0);
const inEngine = (part: Part): Part => ({ ...part, count: part.count - (part.plain ?? 0) });
/** A device frees garbage when it is short of memory, so that the certificate reuses the memory of the solver. */
const onDevice = (part: Part): Part => ({ ...part, count: part.count - (part.plain ?? 0) - (part.after ?? 0) });
const inHost = (part: Part): Part => ({ ...part, count: part.plain ?? 0 });
/** A limit set by the user is always compared. */
const isCompared = (need: number): boolean => !(need < SMALL) || !!environment.EXPEN_MEMORY;

/** 480 GB, 1.60 TB */
export function bytes(x: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
  let k = 0;
  while (k < units.length - 1 && Number((x / 1000 ** k).toPrecision(3)) >= 1000) k++;
  return `${k === 0 ? x : digits(x / 1000 ** k)} ${units[k]}`;
}

const sentenceOf = (memory: Available): string => memory.text.replace("*", bytes(memory.bytes));

/** Throws a `MemoryError` if the parts of a run of n×p do not fit into the engine or into the process. */
export function requireMemory(
  n: number,
  p: number,
  parts: readonly Part[],
  engine?: Pick<Engine, "name" | "ranks" | "device">,
  available?: Available,
): void {
  if (!available && !isCompared(bytesNeeded(parts))) return;
  const { ranks } = engine ?? {};
  const here = ranks && engine?.name === "mpi" ? parts.map((part) => ofRank(part, n, ranks.size)) : parts;
  const within = engine?.device ? onDevice : inEngine;
  compare(here.map(within), engineMemory(engine), ranks ? ", or more ranks" : ", or another engine");
  // matrices of a device are not in the memory of the process; ranks on one machine share its memory
  const onHost = engine?.device ? here.map(inHost) : here;
  const room = available ?? availableMemory();
  compare(onHost, ranks ? { ...room, bytes: room.bytes / ranks.local } : room, ranks && ", or more machines");

  function compare(parts: readonly Part[], memory: Available, wayOut = ""): void {
    const need = bytesNeeded(parts);
    if (need <= memory.bytes) return;
    const large = merged(parts).filter((part) => !(bytesOf(part) < NAMED_SHARE * need));
    const mostly = bytesNeeded(large) < 0.99 * need ? "mostly " : "";
    const words = large.map(({ count, rows, cols }) => {
      const shape = rows === n && cols === p ? "" : ` ${rows}×${cols}`;
      return `${count} ${count === 1 ? "matrix" : "matrices"}${shape} of ${bytes(8 * rows * cols)}`;
    });
    throw new MemoryError(
      `n×p = ${n}×${p} needs about ${bytes(need)} (${mostly}${words.join(", ")}) but ${sentenceOf(memory)}; ` +
        `take a smaller n or p${wayOut}.`,
    );
  }
}

/** The share of a rank: of matrices with n rows, and of others that are taller than wide, such as parts of products */
const ofRank = (part: Part, n: number, size: number): Part =>
  part.rows === n || part.rows > part.cols ? { ...part, rows: Math.ceil(part.rows / size) } : part;

/** The same for `copies` matrices in JavaScript memory, of a user or a file */
export function requireMemoryFor(rows: number, cols: number, copies = 1): void {
  const need = 8 * rows * cols * copies;
  if (!isCompared(need)) return;
  const memory = availableMemory();
  if (need <= memory.bytes) return;
  throw new MemoryError(`${rows}×${cols} numbers need ${bytes(need)} but ${sentenceOf(memory)}; take fewer of them.`);
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
