/** The suites by name. */
import { anyF } from "./any-f/suite.js";
import { constraints } from "./constraints/suite.js";
import { paper } from "./paper/suite.js";
import { sets } from "./sets/suite.js";
import { specialists } from "./specialists/suite.js";
import { structure } from "./structure/suite.js";
import type { Suite } from "./suite.js";

export const suites: readonly Suite[] = [paper, anyF, constraints, sets, specialists, structure];

/** Calls `work` with the suite that `--suite` names, the rows of the paper by default; returns the exit code. */
export async function suiteNamed<S extends { readonly name: string }>(
  args: readonly string[],
  known: readonly S[],
  work: (suite: S) => Promise<number>,
): Promise<number> {
  const at = args.findIndex((word) => word === "--suite" || word.startsWith("--suite="));
  const name = at < 0 ? paper.name : (args[at]!.split("=")[1] ?? args[at + 1]);
  const suite = known.find((one) => one.name === name);
  if (suite) return work(suite);
  console.error(`bench: suite '${name}' is none of ${known.map((one) => one.name).join(", ")}.`);
  return 2;
}
