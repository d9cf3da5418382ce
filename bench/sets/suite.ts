/** The suite sets, with its report. */
import { list, number } from "../arguments.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { kind, type SetsResults } from "./results.js";
import { benchSets } from "./run.js";
import { clusterTable, ownTable, permutationTable, setsTable } from "./tables.js";

export const sets = makeSuite({
  ...kind,
  title: "Constraints beside the manifold, measured",
  page: "bench/reports/sets.md",
  note: "The methods: [bounds and constraints](../../docs/constraints/inequalities.md), [X ≥ 0 with orthonormal columns](../../docs/constraints/nonnegative.md), [own equations](../../docs/constraints/own-manifold.md), [permutations](../../docs/constraints/permutations.md).",
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
    "- Equations: ‖c‖ ≤ 1e-8 and the gradient along the set ≤ 1e-5 count as solved; Jacobians for each evaluation, the largest. CDOpt's β is its own choice, SciPy's L-BFGS-B minimises its function, and its map to the set is applied five times at the end; it and SLSQP get the equations of the symplectic set that are independent.",
    "- QAPLIB: `permutations(n)` with its 20 starts and 40 kicks, 20 seeds; `faq` the best of 20 random starts of SciPy's fast approximate method with `2opt` after each. In % above the least cost that is known.",
    "- Clusters of `examples/data/books.csv` (square roots of counts) and `digits.npz`, rows of unit length: one start of `clusters`; scikit-learn's k-means from ten starts, and the largest weights of its NMF from a random start.",
    "- The lowest f of K-indicators is that of three more runs, one from the planted labels. Liu and Boumal's labels are the largest entries of rows; their rule on the planted problems, and trust-constr, run on the first five instances.",
  ];
  return [
    ...section("How it is measured", rules.join("\n")),
    ...section("Bounds, inequalities, X ≥ 0", markdownTable(setsTable(results))),
    ...section("Equations of one's own", markdownTable(ownTable(results))),
    ...section("Permutations: quadratic assignment", markdownTable(permutationTable(results))),
    ...section("Clusters: adjusted Rand index", markdownTable(clusterTable(results))),
  ];
}
