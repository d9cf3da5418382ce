/** Messages between a page or program and its workers, the same for Node's worker_threads and the Workers of browsers, Deno and Bun. */

import type { Problem, Solution } from "@expen/core";

// biome-ignore lint/suspicious/noExplicitAny: items and points of any f
type Any = any;

/** To a worker: problems to solve. Arrays on a SharedArrayBuffer are shared, others are copied. */
export interface Work {
  readonly problems: readonly Problem<Any, Any>[];
}

/** To a worker: no more problems come. */
export const END: Work = { problems: [] };
export const isEnd = ({ problems }: Work): boolean => problems.length === 0;

/** From a worker: it can begin, its problems are solved, or it cannot work at all */
export type Answer =
  | { readonly kind: "ready" }
  | { readonly kind: "solved"; readonly solved: readonly (Solution<Any> | Failure)[] }
  | { readonly kind: "broken"; readonly failure: Failure };

/** The other side of a worker, as the worker sees it */
export interface Port {
  postMessage(message: Answer): void;
  /** calls `received` for each message */
  onWork(received: (work: Work) => void): void;
  /** no message comes or goes any more, and the worker ends */
  close(): void;
}

/** An error in words, as classes do not survive a message */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  return { name: error.name, message: error.message };
}

export function errorOf({ name, message }: Failure): Error {
  return Object.assign(new Error(message), { name });
}

/** A worker of Node or of the web */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  /** of the web */
  addEventListener?(kind: string, listener: (event: Any) => void): void;
  /** of Node */
  on?(kind: string, listener: (value: Any) => void): unknown;
}

/** Calls `received` with each message of the worker, and `failed` when it breaks or ends by itself. */
export function listen(worker: WorkerLike, received: (answer: Answer) => void, failed: (why: Failure) => void): void {
  if (worker.on) {
    worker.on("message", received);
    worker.on("error", (error) => failed(failureOf(error)));
    worker.on("exit", (code) => failed({ name: "Error", message: `the worker ended with code ${code}` }));
    return;
  }
  worker.addEventListener?.("message", ({ data }) => received(data));
  worker.addEventListener?.("error", ({ message }) =>
    failed({ name: "Error", message: message || "its module could not be loaded" }),
  );
}
