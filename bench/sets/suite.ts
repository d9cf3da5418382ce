/** The suite sets, with its page docs/constraints/sets-bench.md. */
import { list, number } from "../arguments.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { kind, type SetsResults } from "./results.js";
import { benchSets } from "./run.js";
import { setsTable } from "./tables.js";

export const sets = makeSuite({
  ...kind,
  title: "Constraints beside the manifold, measured",
  page: "docs/constraints/sets-bench.md",
  note: "The methods: [bounds and constraints](inequalities.md), [X ≥ 0 with orthonormal columns](nonnegative.md).",
  options: { seeds: number("seeds"), problems: list },
  flags: [],
  parts: ["seeds", "problems"],
  run: (values, session: Session<SetsResults>) => benchSets({ ...values, ...session }),
  sections,
});

function sections(results: SetsResults): string[] {
  const rules = [
    `- ${results.seeds} seeded instances of each problem with a random start, the same for all. Counts are evaluations of f with ∇f, check, start and moves of rows included.`,
    "- best: a feasible end at the lowest f that any run of the instance has found, to 1e-6; at the planted labels in projections and factorizations; an infeasible set that is called so. feasible: violation at most 1e-6, of `expen` in the first four problems with ‖XᵀX − I‖. proved: the level `global`.",
    "- The lowest f of K-indicators is that of three more runs, one from the planted labels. Liu and Boumal's labels are the largest entries of rows; their rule on the planted problems, and trust-constr, run on the first five instances.",
  ];
  return [...section("How it is measured", rules.join("\n")), ...section("All", markdownTable(setsTable(results)))];
}
