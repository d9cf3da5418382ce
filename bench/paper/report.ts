/** The report bench/reports/paper.md from the results of a whole run on the rows of the paper. */
import { type Growth, growthTitle } from "../growth.js";
import { markdownTable, section, type Table } from "../tables.js";
import type { Results } from "./results.js";
import { REPEAT_BUDGET } from "./run.js";
import { failures, meansTable, verdictTable } from "./tables.js";

const TARGETS =
  "1: the same algorithm in both; 2: our default against each peer; 3: without native code, against the fastest peer of each row; 4: near the time of its BLAS and LAPACK calls alone; 5: growth of time and memory. Means are geometric, over the rows of the paper's four tables; 1000×50 is in two of them and counts twice. [Decision 7](../../docs/decisions/0007-what-bounds-the-speed.md) says what bounds them.";

export function sections(results: Results): string[] {
  return [
    ...section("How it is measured", rules(results).join("\n")),
    ...section("Targets", TARGETS, markdownTable(verdictTable(results))),
    ...section(
      "The default beside each peer",
      "The time of the peer over ours, worst row in brackets. The command prints seconds, evaluations, f, stationarity and gap of every run.",
      markdownTable(shortMeans(results)),
      failures(results).join("\n") || "No run failed.",
    ),
    ...(results.growth ? growthSection(results.growth) : []),
  ];
}

/** The first of ours against each peer, over all rows and over each problem */
function shortMeans(results: Results): Table {
  const { head, body } = meansTable(results);
  const [first] = body[0] ?? [];
  const columns = (row: string[]): string[] => row.slice(1, 5);
  return { head: columns(head), body: body.filter(([ours]) => ours === first).map(columns) };
}

function rules({ threads, clock, repeats, tol, gapTarget, limit, starts, others }: Results): string[] {
  const several = `- \`expen-cg\` and \`scipy-cg\` take the same steps until roundoff separates them; then their counts differ by a tenth either way. Target 1 is the mean of ${starts} starts.`;
  const race = `- Time to a relative gap of ${gapTarget} (Brockett): a second race with a tolerance that is never met. Iterates of penalty methods are projected with the clock stopped, but for the projection that succeeds; Riemannian methods end at the first trial point within the gap.`;
  return [
    `- Every contender gets the same data and start. They run in turns, ${repeats} times (up to 10 on rows that take all of them together less than 10 s), and the best ${clock} time counts. BLAS threads: ${threads} for all.`,
    ...(others.length > 0 ? [several] : []),
    `- Stop: gradient norm ≤ ${tol} (Frobenius), of the penalty for penalty methods, else Riemannian. One function then measures f, stationarity and gap at the projection of each answer.`,
    "- The time covers the choice of β, the run and the projection, not reading the data, factorizing L, or a warm-up on small instances.",
    `- A run that ends otherwise, is not stationary to 1.05·${tol}, has an f worse by 1e-3, or takes ${limit} s, is marked and stands in no ratio. A contender that has used ${REPEAT_BUDGET} s on a row is not repeated.`,
    ...(gapTarget > 0 ? [race] : []),
    "- The peers are written for speed: value and gradient in one call if the package allows it, LAPACK's tridiagonal solve, no copies, the last evaluation kept. `scipy-*` minimise ExPen with the paper's β. The slow ones run on a few rows.",
  ];
}

function growthSection(growth: Growth): string[] {
  return section(
    "Growth",
    `Time of an evaluation on noeig: ${growth.lines.map(growthTitle).join(", ")}. \`npm run bench:growth\` prints each size with its memory, and where the time goes.`,
    "![growth](growth.svg)",
  );
}
