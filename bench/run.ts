/** `npm run bench`: our solvers and their peers on the rows of the paper's tables; `--suite` names other suites. */
import "@expen/engines/relaxed-simd";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { clearPartials, lock } from "expen/cli";
import { benchAnyFromArguments } from "./any-f/arguments.js";
import { readArguments } from "./arguments.js";
import { benchConstraintsFromArguments } from "./constraints/run.js";
import { benchMoleculesFromArguments } from "./hartree-fock.js";
import { removeLeftBehind } from "./left-behind.js";
import { PARTIAL, partialResults, type Results, saveResults, writeResults } from "./results.js";
import { bench } from "./side-by-side.js";
import { benchSpecialistsFromArguments } from "./specialists/arguments.js";
import { benchStructureFromArguments } from "./structure/run.js";

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchFromArguments(args: string[]): Promise<number> {
  let unlock = (): void => {};
  try {
    const { out = PARTIAL, resume, full, ...chosen } = readArguments(args);
    const before = resume ? { before: partialResults(out) } : {};
    mkdirSync(dirname(out), { recursive: true });
    unlock = lock(`${out}.lock`, out);
    clearPartials(out);
    removeLeftBehind();
    const save = (results: Results): void => writeResults(out, results);
    const results = await bench({ ...chosen, ...before, save });
    save(results);
    // a part of the rows must not take the place of a full run
    if (full && out === PARTIAL) {
      console.log(`\n${saveResults(results)}`);
      rmSync(PARTIAL);
    } else console.log(`\n${out}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  } finally {
    unlock();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const args = process.argv.slice(2);
  const suites: Record<string, (args: string[]) => Promise<number>> = {
    "any-f": benchAnyFromArguments,
    constraints: benchConstraintsFromArguments,
    "hartree-fock": benchMoleculesFromArguments,
    specialists: benchSpecialistsFromArguments,
    structure: (args) => benchStructureFromArguments(args, bench),
  };
  const given = args.findIndex((word) => word === "--suite" || word.startsWith("--suite="));
  const suite = given < 0 ? undefined : (args[given]!.split("=")[1] ?? args[given + 1]);
  const start = suite === undefined ? benchFromArguments : suites[suite];
  if (!start) {
    console.error(`bench: suite '${suite}' is none of ${Object.keys(suites).join(", ")}.`);
    process.exitCode = 2;
  } else process.exitCode = await start(args);
}
