/** The suite constraints, with its report. */
import { digits } from "@expen/linalg";
import { chosen, number } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { type ConstrainedResults, kind } from "./results.js";
import { ALL_ENTRIES, benchConstraints } from "./run.js";
import { constraintTable, meansTable } from "./tables.js";

export const constraints = makeSuite({
  ...kind,
  title: "Other manifolds beside other tools",
  page: "bench/reports/constraints.md",
  options: {
    problems: chosen("problems", ALL_ENTRIES, ({ problem: { name, p } }) => [name, `${name}:${p}`]),
    seeds: number("seeds"),
    limit: number("limit"),
    gap: number("gap"),
    repeats: number("repeats"),
    clock: clockNamed,
  },
  flags: [],
  parts: ["problems"],
  run: (values, session: Session<ConstrainedResults>) => benchConstraints({ ...values, ...session }),
  sections,
});

function sections(results: ConstrainedResults): string[] {
  const { gap, limit, clock, repeats } = results;
  const rules = [
    `- Problems with a known optimum (\`bench/constraints/\`), the same data and start for all. A run ends where f at a feasible point is within ${digits(gap)} of the optimum, relatively, or after ${limit} s. Best ${clock} time of up to ${repeats} runs in warm processes, one thread.`,
    "- f is given as value and gradient alone. For the eigenproblem XᵀBX = I the form is declared, and `numpy-eigh` is SciPy's eigh(A, B), `numpy-eigh-lowest` the same for the p lowest, `numpy-landing` the landing method with the best of nine step lengths.",
    "- Pymanopt has no generalised Stiefel manifold and runs in Z = RX, B = RᵀR. CDOpt has no products; its own choice of the penalty parameter fails on complex numbers, where it is ‖∇f(X0)‖/10.",
  ];
  const withMetric = results.runs.filter(({ problem }) => problem.startsWith("generalized-eigenvalues"));
  return [
    ...section("How it is measured", rules.join("\n")),
    ...section(
      "Products, complex and unit columns, together",
      "How many times more others need than ours: geometric means over the runs that both solved.",
      markdownTable(meansTable(results)),
      "The suite prints every run.",
    ),
    ...section("The eigenproblem XᵀBX = I", markdownTable(constraintTable({ ...results, runs: withMetric }))),
  ];
}
