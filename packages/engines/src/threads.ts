import { EngineError } from "@expen/linalg";

/** More than any machine has: each is a worker, or a thread of the library */
const MOST = 1024;

export function requireThreads(engine: string, threads: number): void {
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST) return;
  throw new EngineError(`${engine}: threads is ${threads}; it must be a whole number from 1 to ${MOST}.`);
}
