/** A suite from the command line: it runs, keeps its results, and writes its report. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { clearPartials, lock } from "expen/cli";
import { type Readers, readOptions, text, type Values } from "./arguments.js";
import { removeLeftBehind } from "./left-behind.js";
import { pageHead } from "./page.js";
import { ROOT } from "./peers.js";
import {
  type Head,
  type Kind,
  newestResults,
  partialPath,
  readInterrupted,
  readResults,
  wholePath,
  writeResults,
} from "./store.js";

/** The link of a run with its suite. */
export interface Session<R> {
  /** results of an interrupted run with the same settings, to be continued */
  before?: R;
  /** called after each finished part */
  save?(results: R): void;
  log?(line: string): void;
}

export interface Description<T extends Readers, F extends string, R extends Head> extends Kind {
  readonly title: string;
  /** the report, from the root of the repository */
  readonly page: string;
  /** a sentence under the title of the page */
  readonly note?: string;
  /** options with a value, each with the function that reads it */
  readonly options: T;
  readonly flags: readonly F[];
  /** options that choose a part of the suite: the results of such a run are no results of the suite */
  readonly parts: readonly (keyof T | NoInfer<F>)[];
  run(values: Values<T, F>, session: Session<R>): Promise<R>;
  /** lines of the page after its head */
  sections(results: R): string[];
  /** plots beside the page, by file name */
  plots?(results: R): Record<string, string>;
}

export interface Suite {
  readonly name: string;
  /** Runs the suite; returns the exit code. */
  bench(args: readonly string[]): Promise<number>;
  /** Writes the page; returns the exit code. */
  report(args: readonly string[]): Promise<number>;
}

export function makeSuite<T extends Readers, F extends string, R extends Head>(
  suite: Description<T, F, R>,
): Suite & { page(results: R): string } {
  const page = (results: R): string => [...pageHead(suite, results), ...suite.sections(results)].join("\n");
  return {
    name: suite.name,
    page,
    bench: (args) => exitCode(() => runSuite(suite, args)),
    report: (args) =>
      exitCode(async () => {
        const path = args.find((word) => word.endsWith(".json"));
        const results = path ? readResults<R>(suite, path) : newestResults<R>(suite);
        const folder = dirname(join(ROOT, suite.page));
        mkdirSync(folder, { recursive: true });
        for (const [name, plot] of Object.entries(suite.plots?.(results) ?? {}))
          writeFileSync(join(folder, name), plot);
        writeFileSync(join(ROOT, suite.page), page(results));
        console.log(suite.page);
      }),
  };
}

async function runSuite<T extends Readers, F extends string, R extends Head>(
  suite: Description<T, F, R>,
  args: readonly string[],
): Promise<void> {
  const flags = [...suite.flags, "resume"] as const;
  const values = readOptions({ ...suite.options, suite: text, out: text }, flags, args);
  const { out, resume } = values as { out?: string; resume: boolean };
  const chosen = values as unknown as Values<T, F>;
  const path = out ?? partialPath(suite);
  const before = resume ? readInterrupted<R>(suite, path) : undefined;
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lock(`${path}.lock`, path);
  try {
    clearPartials(path);
    removeLeftBehind();
    const save = (results: R): void => writeResults(path, results);
    const results = await suite.run(chosen, { ...(before && { before }), save, log: console.log });
    // a run over a part of the suite must not take the place of a whole one
    const isWhole = out === undefined && !suite.parts.some((name) => chosen[name]);
    const kept = isWhole ? wholePath(results) : path;
    writeResults(kept, results);
    if (kept !== path) rmSync(path, { force: true });
    console.log(`\n${kept}`);
  } finally {
    unlock();
  }
}

/** Says an error in its sentence; returns 2 then, otherwise 0. */
export async function exitCode(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
