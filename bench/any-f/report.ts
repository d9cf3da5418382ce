/** `npm run bench:report -- --suite any-f [results.json]`: docs/any-f.md and docs/any-f.svg from the results of the suite. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { digits } from "@expen/linalg";
import { ROOT } from "../peers.js";
import { busy } from "../results.js";
import { markdownTable } from "../tables.js";
import { families } from "./families.js";
import { FORMER } from "./ours.js";
import { profilePlot } from "./profile.js";
import { type AnyResults, newestAny, readAny } from "./results.js";
import { againstFormer, againstMedian, familyTable, lostRows, meansOf, worseOptima } from "./tables.js";

export function anyReport(results: AnyResults, source: string): string {
  const { machine, threads, clock, repeats, tol, limit, seeds, cases, contenders, skipped } = results;
  return [
    "# Any f: a suite of plain functions",
    "",
    `Made from \`${source}\` by \`npm run bench:report -- --suite any-f\`; measured by \`npm run bench -- --suite any-f\`.`,
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.os}, Node ${machine.node}, load ${machine.load} in the minute before${busy(machine) ? " (others worked on it at the same time: trust the counts, not the times)" : ""}. Commit ${results.commit}, ${results.date.slice(0, 10)}.`,
    "",
    ...Object.entries(contenders).map(([name, description]) => `- \`${name}\`: ${description}`),
    ...Object.entries(skipped).map(([name, why]) => `- \`${name}\`: not there, ${why}`),
    "",
    "## How it is measured",
    "",
    `- ${cases.length} cases: families × sizes × ${seeds} ${seeds === 1 ? "seed" : "seeds"} of data and start. Every contender gets the same numbers, and f with its gradient and nothing else: no operator, no form, no Hessian (Pymanopt's trust regions take differences of gradients, each counted as an evaluation).`,
    `- Stop: gradient norm ≤ ${digits(tol)} of that at the start. Reached means that one judge finds the Riemannian gradient at the projected X within 1.05 of it. A run ends after ${limit} s. Failures stay in the profiles as unsolved; ratios are geometric means over the cases that both reached.`,
    `- Time: best ${clock} time of up to ${repeats} runs in warm processes, BLAS threads: ${threads}. Functions are not convex: some runs end in other minima than others.`,
    "- `scipy-*` minimise ExPen with the paper's β, ‖∇f(X0)‖/10, which is below the threshold for some families: they then end at an infeasible point, or run away.",
    "",
    "## All together",
    "",
    "How many times more each contender needs than ours.",
    "",
    markdownTable(meansOf(results)),
    "",
    worseOptima(results),
    "",
    "![performance profiles](any-f.svg)",
    "",
    ...sentences(results),
    "## Family by family",
    "",
    "Evaluations (geometric means), then how many times more the best peer of each case needs.",
    "",
    markdownTable(familyTable(results)),
    "",
    "## The functions",
    "",
    ...families.map(({ name, formula }) => `- ${name}: ${formula}`),
    "",
  ].join("\n");
}

/** Of the rows that stand beyond a bound in most runs. */
const WHY = [
  "Which minimum a run meets is chance; eight families have several, and `--families sparse-pca,canonical-cubic,tensor,varimax,joint-diagonalization,dictionary-absolute,low-rank,brockett-sum --seeds 10` meets more of them.",
  "Why: gross-pitaevskii costs a few passes over X, so time decides, and the default takes the multiplier's metric there (docs/decisions/0014). The moving frame takes 0.8 of its evaluations, and about as much time.",
  "dictionary-absolute 20×20 is nearly nonsmooth and has many minima: the way to one of them is long, and what was learned on it is soon out of date.",
  "In time the former default is ahead where X is small and an evaluation takes microseconds: its steps are fewer calls. What f costs does not tell these from others of the same size on which the moving frame is ahead (docs/decisions/0014).",
];

/** What the default, the first of ours, is measured by. */
function sentences(results: AnyResults): string[] {
  const [ours, former] = Object.keys(results.contenders).filter((name) => name.includes("@"));
  if (!ours) return [];
  return [
    againstMedian(results, ours),
    ...(former?.startsWith(FORMER)
      ? [
          `${againstFormer(results, ours, former, "evaluations", 1.1)} \`${former}\` was the default before docs/decisions/0014.`,
          againstFormer(results, ours, former, "seconds", 1.5),
        ]
      : []),
    lostRows(results, ours),
    ...WHY,
  ].flatMap((sentence) => [sentence, ""]);
}

/** Writes the page and its plot; returns the exit code. */
export function reportAny(args: readonly string[]): number {
  try {
    const path = args.find((word) => word.endsWith(".json")) ?? newestAny();
    const results = readAny(path);
    writeFileSync(join(ROOT, "docs/any-f.md"), anyReport(results, relative(ROOT, path)));
    writeFileSync(join(ROOT, "docs/any-f.svg"), profilePlot(results));
    console.log("docs/any-f.md");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
