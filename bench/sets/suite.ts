/** The suite sets, with its report. */
import { list, number } from "../arguments.js";
import { makeSuite, type Session } from "../suite.js";
import { byContender, markdownTable, section, type Table } from "../tables.js";
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
    `- ${results.seeds} seeded instances of each problem with a random start, the same for all; trust-constr, and Liu and Boumal's rule on the planted problems, run on the first five. Counts are evaluations of f with ∇f, check, start and moves of rows included. The suite prints violations, proofs and Jacobians too.`,
    "- best: a feasible end (violation at most 1e-6) at the lowest f that any run of the instance has found, to 1e-6; at the planted labels in projections and factorizations; an infeasible set that is called so. Of K-indicators the lowest f is that of three more runs, one from the planted labels.",
    "- Equations: ‖c‖ ≤ 1e-8 and the gradient along the set ≤ 1e-5 count as solved. CDOpt's β is its own choice, SciPy's L-BFGS-B minimises its function, and its map to the set is applied five times at the end.",
    "- QAPLIB: `permutations(n)` with its defaults, 20 seeds; `faq` the best of 20 random starts of SciPy's fast approximate method with `2opt` after each.",
    "- Clusters of `examples/data/books.csv` (square roots of counts) and `digits.npz`, rows of unit length, with two seeds of the digits: one start of `clusters`; scikit-learn's k-means from ten starts, and the largest weights of its NMF from a random start.",
  ];
  const table = (made: Table, cells: string, shown: string[]): string[] => [
    cells,
    markdownTable(byContender(made, shown)),
  ];
  return [
    ...section("How it is measured", rules.join("\n")),
    ...section(
      "Bounds, inequalities, X ≥ 0",
      ...table(setsTable(results), "Best runs; evaluations, median.", ["best", "median"]),
    ),
    ...section(
      "Equations of one's own",
      ...table(ownTable(results), "Solved; evaluations, median.", ["solved", "median"]),
    ),
    ...section(
      "Permutations: quadratic assignment",
      ...table(permutationTable(results), "Runs at the least cost that is known; median in % above it.", [
        "at it",
        "median %",
      ]),
    ),
    ...section(
      "Clusters: adjusted Rand index",
      ...table(clusterTable(results), "Median; least; largest.", ["median", "least", "largest"]),
    ),
  ];
}
