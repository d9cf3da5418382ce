/** The page's end of the worker: starts it, notices when it is lost, starts another. */
import { signal } from "@preact/signals";
import * as Comlink from "comlink";
import type { Catalogue } from "./protocol.js";
import type { Laboratory } from "./worker/laboratory.js";
import laboratory from "./worker/laboratory.js?worker&url";

/** ms within which an idle worker must answer */
const ANSWER = 4000;

export const catalogue = signal<Catalogue | undefined>(undefined);
/** Something the visitor should know: shown above every view until it is closed. */
export const notice = signal<string>("");

interface Line {
  worker: Worker;
  remote: Comlink.Remote<Laboratory>;
  /** rejects when the worker breaks */
  broken: Promise<never>;
}

export class LostWorker extends Error {
  override name = "LostWorker";
}

let line: Line | undefined;

/**
 * A worker from a file has the policy that its host sends with the file, which may be none; one from a blob has the page's own. So visitors'
 * code, which runs there, cannot call out, whoever serves the page.
 */
function start(): Worker {
  const script = `import ${JSON.stringify(new URL(laboratory, document.baseURI).href)};`;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  // the worker has its script when it first speaks
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

function connect(): Line {
  const worker = start();
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(new LostWorker(event.message || "its script did not load"));
    });
  });
  broken.catch(() => {});
  const connection = { worker, remote: Comlink.wrap<Laboratory>(worker), broken };
  broken.catch(() => {
    if (line === connection) line = undefined;
  });
  return connection;
}

const after = (ms: number, why: string): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new LostWorker(why)), ms));

/** Ends the worker, whatever it does; the next call starts another. */
export function restart(): void {
  line?.worker.terminate();
  line = undefined;
}

/** Calls the worker; an answer that takes longer than `limit` ms counts as lost. */
export async function ask<T>(work: (remote: Comlink.Remote<Laboratory>) => Promise<T>, limit = 0): Promise<T> {
  line ??= connect();
  const { remote, broken } = line;
  try {
    return await Promise.race([
      work(remote),
      broken,
      ...(limit > 0 ? [after(limit, `no answer for ${limit / 1000} s`)] : []),
    ]);
  } catch (error) {
    if (error instanceof LostWorker) restart();
    throw error;
  }
}

/**
 * Calls a worker that may have been lost while it was idle: another takes its place, with a word. The sign of life is asked for first but
 * not waited for, so that the work begins at once.
 */
export async function askIdle<T>(work: (remote: Comlink.Remote<Laboratory>) => Promise<T>): Promise<T> {
  const sign = ask((remote) => remote.ping(), ANSWER);
  const answer = ask(work);
  // this may fail for the same reason, and is then of no interest
  answer.catch(() => {});
  try {
    await sign;
  } catch (error) {
    notice.value = `The worker was lost (${(error as Error).message}); a new one was started.`;
    await ask((remote) => remote.ping(), 2 * ANSWER);
    return ask(work);
  }
  return answer;
}

export async function loadCatalogue(): Promise<void> {
  try {
    const catalog = await ask((remote) => remote.catalogue(), 15_000);
    catalogue.value = catalog;
    if (catalog.warning) notice.value = catalog.warning;
  } catch (error) {
    notice.value = `The worker that computes could not be started (${(error as Error).message}). Reload the page, or use a newer browser.`;
  }
}
