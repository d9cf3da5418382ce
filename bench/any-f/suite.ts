/** The suite any-f, with its report. */
import { digits } from "@expen/linalg";
import { chosen, list, number } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { families } from "./families.js";
import { FORMER } from "./ours.js";
import { profilePlot } from "./profile.js";
import { type AnyResults, kind } from "./results.js";
import { benchAny, RLBFGS } from "./run.js";
import { againstFormer, againstMedian, lostRows, meansOf, worseOptima } from "./tables.js";

export const anyF = makeSuite({
  ...kind,
  title: "Any f: a suite of plain functions",
  page: "bench/reports/any-f.md",
  options: {
    families: chosen("families", families, ({ name }) => [name]),
    contenders: list,
    seeds: number("seeds"),
    repeats: number("repeats"),
    threads: number("threads"),
    clock: clockNamed,
    tol: number("tol"),
    limit: number("limit"),
  },
  flags: [],
  parts: ["families", "contenders"],
  run: (values, session: Session<AnyResults>) => benchAny({ ...values, ...session }),
  sections,
  plots: (results): Record<string, string> => ({ "any-f.svg": profilePlot(results) }),
});

function sections(results: AnyResults): string[] {
  const { threads, clock, repeats, tol, limit, seeds, cases } = results;
  const rlbfgs =
    "- `numpy-rlbfgs` is Riemannian L-BFGS as in Manopt's `rlbfgs`: 30 pairs, transported by projection, Armijo backtracking from 1, polar retraction.";
  const rules = [
    `- ${cases.length} cases: families × sizes × ${seeds} ${seeds === 1 ? "seed" : "seeds"} of data and start. Every contender gets the same numbers, and f with its gradient alone (Pymanopt's trust regions take differences of gradients, each counted as an evaluation).`,
    `- Stop: gradient norm ≤ ${digits(tol)} of that at the start. Reached: the Riemannian gradient at the projected X is within 1.05 of it. A run ends after ${limit} s. Failures stay in the profiles as unsolved; ratios are geometric means over the cases that both reached.`,
    `- Time: best ${clock} time of up to ${repeats} runs in warm processes, BLAS threads: ${threads}. Some runs end in other minima than others.`,
    "- `scipy-*` minimise ExPen with the paper's β, ‖∇f(X0)‖/10, which is below the threshold for some families: they then end at an infeasible point, or run away.",
    ...(RLBFGS in results.contenders ? [rlbfgs] : []),
  ];
  return [
    ...section("How it is measured", rules.join("\n")),
    ...section(
      "All together",
      "How many times more each contender needs than ours.",
      markdownTable(meansOf(results)),
      worseOptima(results),
      "![performance profiles](any-f.svg)",
      ...sentences(results),
    ),
    "The families and their formulas stand in `bench/any-f/`; the suite prints evaluations and times of each.",
    "",
  ];
}

/** Reasons for the rows beyond a bound in most runs. */
const WHY = [
  "An evaluation of gross-pitaevskii costs a few passes over X, so the default takes the [multiplier's method](../../docs/decisions/0014-default-by-the-cost-of-f.md) there; the moving frame takes 0.8 of its evaluations, and about as much time.",
  "In time the former default is ahead where X is small and an evaluation takes microseconds, as its steps are fewer calls.",
];

/** The default solver, the first of ours, beside the peers and the former default. */
function sentences(results: AnyResults): string[] {
  const [ours, former] = Object.keys(results.contenders).filter((name) => name.includes("@"));
  if (!ours) return [];
  return [
    againstMedian(results, ours),
    ...(former?.startsWith(FORMER)
      ? [
          `${againstFormer(results, ours, former, "evaluations", 1.1)} \`${former}\` was the default before [decision 14](../../docs/decisions/0014-default-by-the-cost-of-f.md).`,
          againstFormer(results, ours, former, "seconds", 1.5),
        ]
      : []),
    lostRows(results, ours),
    ...WHY,
  ];
}
