/** Compares needed with available memory, before any allocation. */

import type { Engine } from "../contracts/engine.js";
import { environment } from "../environment.js";
import { type Available, availableMemory, bytes, engineMemory, sentenceOf, shortage } from "./available.js";
import { bytesNeeded, type Part } from "./need.js";

/** A run would need more memory than is available; thrown before any allocation. */
export class MemoryError extends Error {
  override name = "MemoryError";
}

/** Bytes below which no comparison is made: the query of the system takes longer than a failing allocation. */
const SMALL = 2 ** 26;
const inEngine = (part: Part): Part => ({ ...part, count: part.count - (part.plain ?? 0) });
/** A device frees garbage when it is short of memory, so that the certificate reuses the memory of the solver. */
const onDevice = (part: Part): Part => ({ ...part, count: part.count - (part.plain ?? 0) - (part.after ?? 0) });
const inHost = (part: Part): Part => ({ ...part, count: part.plain ?? 0 });
/** A limit set by the user is always compared. */
const isCompared = (need: number): boolean => !(need < SMALL) || !!environment.EXPEN_MEMORY;

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
    if (bytesNeeded(parts) > memory.bytes) throw new MemoryError(shortage(n, p, parts, memory, wayOut));
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
