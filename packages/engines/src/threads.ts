import { EngineError } from "@expen/linalg";

/** Largest number of threads; a larger one is a mistake, and each thread is a worker or a thread of a library. */
const MOST = 1024;

export function requireThreads(engine: string, threads: number): void {
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST) return;
  throw new EngineError(`${engine}: threads is ${threads}; it must be a whole number from 1 to ${MOST}.`);
}
