/** The page docs/benchmarks.md from the results of a whole run on the rows of the paper. */
import { type Growth, growthTable, growthTitle, memoryText, profileTable } from "../growth.js";
import { markdownTable, section } from "../tables.js";
import type { Results } from "./results.js";
import { REPEAT_BUDGET } from "./run.js";
import { failures, meansTable, overview, verdictTable } from "./tables.js";

const TARGETS =
  "1: the same algorithm in both; 2: our default against each peer; 3: without native code, against the fastest peer of each row; 4: near the time of its BLAS and LAPACK calls alone; 5: growth of time and memory. Means are geometric, over the rows of the paper's four tables; 1000×50 stands in two of them and counts twice. What bounds them: [decision 7](decisions/0007-what-bounds-the-speed.md).";

export function sections(results: Results): string[] {
  const { gapTarget } = results;
  const gaps = [`Brockett, seconds to a relative gap of ${gapTarget}:`, markdownTable(overview(results, "gap"))];
  return [
    ...section("How it is measured", rules(results).join("\n")),
    ...section("Targets", TARGETS, markdownTable(verdictTable(results))),
    ...section(
      "Seconds, all rows",
      "The numbers in brackets are evaluations of f with its gradient (+ products with the Hessian). Iterations, f, stationarity and gap of each run are in the results, `.expen/bench/paper/`, and `npm run bench` prints them.",
      markdownTable(overview(results, "gradient")),
      ...(gapTarget > 0 ? gaps : []),
      failures(results).join("\n") || "No run failed.",
    ),
    ...section("How many times longer the peers take", markdownTable(meansTable(results))),
    ...limitSection(results),
    ...(results.growth ? growthSection(results.growth) : []),
  ];
}

function rules({ threads, clock, repeats, tol, gapTarget, limit, starts, others }: Results): string[] {
  const several = `- \`expen-cg\` and \`scipy-cg\` run from ${starts} starts: both do the same steps until rounding parts them, and then their counts differ by a tenth either way on a row. Target 1 is the mean of all starts, which the command prints row by row; everything else is from the first. Another start is a repeat of its own kind: from each both run once.`;
  const race = `- Time to a relative gap of ${gapTarget} (Brockett): a second race with a tolerance that is never met. Iterates of penalty methods are projected and looked at with the clock stopped, but for the projection that succeeds; Riemannian methods see f at each trial point anyway, and the first one within the gap ends the run.`;
  return [
    `- Each row is drawn once; every contender gets the same numbers for data and start. They run in turns, ${repeats} times (up to 10 on rows that take all of them together less than 10 s), and the best ${clock} time counts. BLAS threads: ${threads} for all.`,
    ...(others.length > 0 ? [several] : []),
    `- Stop: gradient norm ≤ ${tol} (Frobenius). Penalty methods stop by the gradient of the penalty, Riemannian ones by the Riemannian gradient; the default goes on until the projected point meets it. f, stationarity ‖∇f − X·sym(Xᵀ∇f)‖ and gap are then measured by one function for all, at the projection of the X that was delivered.`,
    "- The time covers the choice of β, the run and the projection; it does not cover reading the data, factorizing L, and a warm-up on small instances, a second each.",
    `- A run that ends otherwise, or not stationary to 1.05·${tol}, or with an f that is worse by 1e-3, or after ${limit} s, is marked and stands in no ratio. A contender that has used ${REPEAT_BUDGET} s on a row is not repeated.`,
    ...(gapTarget > 0 ? [race] : []),
    "- The peers are written for speed: value and gradient in one call where the package allows it (CDOpt does not), LAPACK's tridiagonal solve, destinations given, the last evaluation kept for Pymanopt, a Wolfe search fit for conjugate gradients for Geoopt. `scipy-*` minimise ExPen with the paper's β; CG begins again where its line search gives up, L-BFGS-B gets the bounds ±1 where f is not bounded below.",
    "- In an empty cell the contender did not take part. The slow ones run on a few rows, nlopt-js on the smallest.",
  ];
}

function limitSection({ nearLimit }: Results): string[] {
  if (!nearLimit) return [];
  const lines = nearLimit.map(({ id, seconds, productSeconds, ratio, gflop, gflops }) => {
    const speed = `${gflop.toFixed(1)} GFLOP at ${gflops.toFixed(1)} GFLOP/s`;
    const alone = `its BLAS and LAPACK calls alone ${productSeconds.toFixed(3)} s (${speed})`;
    return `- ${id}: ${seconds.toFixed(3)} s; ${alone}: ${ratio.toFixed(2)}.`;
  });
  return section("Near the limit", lines.join("\n"));
}

function growthSection(growth: Growth): string[] {
  const profile =
    "Where the time goes: calls an evaluation, time of an entry of an n×p matrix, and the bandwidth if every matrix of a call is moved once.";
  const memory = memoryText(growth).map((line) => `- ${line}.`);
  return section(
    "Growth",
    `noeig on ${growth.engine}. Time of whole runs over their evaluations, best of several.`,
    "![growth](growth.svg)",
    ...growth.lines.flatMap((line) => [growthTitle(line), markdownTable(growthTable(line))]),
    ...(growth.profiles.length > 0 ? [profile, markdownTable(profileTable(growth))] : []),
    "Memory:",
    memory.join("\n"),
  );
}
