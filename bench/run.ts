/** `npm run bench`: our solvers and their peers on the rows of the paper's tables; `--suite` names other suites. */
import "@expen/engines/relaxed-simd";
import { pathToFileURL } from "node:url";
import { benchMoleculesFromArguments } from "./hartree-fock.js";
import { holdOut } from "./hold-out/suite.js";
import { suiteNamed, suites } from "./suites.js";

const molecules = { name: "hartree-fock", bench: benchMoleculesFromArguments };

/** Runs the suite that the arguments name; returns the exit code. */
export const benchFromArguments = (args: string[]): Promise<number> =>
  suiteNamed([...args], [...suites, molecules, holdOut], (suite) => suite.bench(args));

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await benchFromArguments(process.argv.slice(2));
}
