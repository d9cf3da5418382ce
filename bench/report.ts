/** `npm run bench:report [results.json]`: docs/benchmarks.md and docs/growth.svg from the results of a full run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { reportAny } from "./any-f/report.js";
import { reportConstraints } from "./constraints/report.js";
import { type Growth, growthTable, growthTitle, memoryText, profileTable, saveGrowthPlot } from "./growth.js";
import { ROOT } from "./peers.js";
import { busy, loadResults, type Results } from "./results.js";
import { REPEAT_BUDGET } from "./side-by-side.js";
import { reportSpecialists } from "./specialists/report.js";
import { reportStructure } from "./structure/report.js";
import { markdownTable, meansTable, overview, rowTable, startsTable, verdictTable } from "./tables.js";

export function report(results: Results, source: string): string {
  const { machine, threads, clock, repeats, tol, gapTarget, limit, starts, others } = results;
  const lines = [
    "# Benchmarks",
    "",
    `Made from \`${source}\` by \`npm run bench:report\`; measured by \`npm run bench\`.`,
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.os}, Node ${machine.node}, load ${machine.load} in the minute before${busy(machine) ? " (something ran until then; had it gone on, times by the wall were not to be trusted)" : ""}. Commit ${results.commit}, ${results.date.slice(0, 10)}.`,
    "",
    ...Object.entries(results.contenders).map(([name, description]) => `- \`${name}\`: ${description}`),
    ...Object.entries(results.skipped).map(([name, why]) => `- \`${name}\`: not there, ${why}`),
    "",
    "## How it is measured",
    "",
    `- Each row is drawn once; every contender gets the same numbers for data and start. They run in turns, ${repeats} times (up to 10 on rows that take all of them together less than 10 s), and the best ${clock} time counts. BLAS threads: ${threads} for all.`,
    ...(others.length > 0
      ? [
          `- \`expen-cg\` and \`scipy-cg\` run from ${starts} starts: both do the same steps until rounding parts them, and then their counts differ by a tenth either way on a row. Target 1 is the mean of all starts; everything else is from the first. Another start is a repeat of its own kind: from each both run once.`,
        ]
      : []),
    `- Stop: gradient norm ≤ ${tol} (Frobenius). Penalty methods stop by the gradient of the penalty, Riemannian ones by the Riemannian gradient; the default goes on until the projected point meets it. f, stationarity ‖∇f − X·sym(Xᵀ∇f)‖ and gap are then measured by one function for all, at the projection of the X that was delivered.`,
    "- Timed: all a user must do to get a feasible X: choice of β, the run, the projection. Not timed: reading the data, factorizing L, a warm-up on small instances, a second each.",
    `- A run that ends otherwise, or not stationary to 1.05·${tol}, or with an f that is worse by 1e-3, or after ${limit} s, is marked and stands in no ratio. A contender that has used ${REPEAT_BUDGET} s on a row is not repeated.`,
    ...(gapTarget > 0
      ? [
          `- Time to a relative gap of ${gapTarget} (Brockett): a second race with a tolerance that is never met. Iterates of penalty methods are projected and looked at with the clock stopped, but for the projection that succeeds; Riemannian methods see f at each trial point anyway, and the first one within the gap ends the run.`,
        ]
      : []),
    "- Peers are written for speed: value and gradient in one call where the package allows it (CDOpt does not), LAPACK's tridiagonal solve, destinations given, the last evaluation kept for Pymanopt, a Wolfe search fit for conjugate gradients for Geoopt. `scipy-*` minimise ExPen with the paper's β; CG begins again where its line search gives up, L-BFGS-B gets the bounds ±1 where f is not bounded below.",
    "- An empty cell: the contender did not take part. The slow ones run on a few rows, nlopt-js on the smallest.",
    "",
    "## Targets",
    "",
    "1: the same algorithm in both; 2: our default against each peer; 3: without native code, against the fastest peer of each row; 4: near the time of its BLAS and LAPACK calls alone; 5: growth of time and memory. Means are geometric, over the rows of the paper's four tables; 1000×50 stands in two of them and counts twice. What bounds them: [decision 7](decisions/0007-what-bounds-the-speed.md).",
    "",
    markdownTable(verdictTable(results)),
    "",
    "## Seconds, all rows",
    "",
    markdownTable(overview(results, "gradient")),
    "",
    ...(gapTarget > 0
      ? [`Brockett, seconds to a relative gap of ${gapTarget}:`, "", markdownTable(overview(results, "gap")), ""]
      : []),
    "## How many times longer the peers take",
    "",
    markdownTable(meansTable(results)),
    "",
  ];
  if (others.length > 0) {
    lines.push(
      "## The same algorithm from several starts",
      "",
      "How many times longer `scipy-cg` takes than `expen-cg@blas`, and the iterations of both.",
      "",
      markdownTable(startsTable(results)),
      "",
    );
  }
  if (results.nearLimit) {
    lines.push("## Near the limit", "");
    for (const { id, seconds, productSeconds, ratio, gflop, gflops } of results.nearLimit) {
      lines.push(
        `- ${id}: ${seconds.toFixed(3)} s; its BLAS and LAPACK calls alone ${productSeconds.toFixed(3)} s (${gflop.toFixed(1)} GFLOP at ${gflops.toFixed(1)} GFLOP/s): ${ratio.toFixed(2)}.`,
      );
    }
    lines.push("");
  }
  if (results.growth) {
    lines.push(...growthSection(results.growth));
  }
  lines.push("## Row by row", "");
  for (const row of results.rows) {
    lines.push(`### ${row.id}${row.optimum === null ? "" : `, f* = ${row.optimum}`}`, "");
    lines.push(markdownTable(rowTable(row, tol, "gradient")), "");
    if (row.runs.some(({ mode }) => mode === "gap")) {
      lines.push(`To a relative gap of ${gapTarget}:`, "", markdownTable(rowTable(row, tol, "gap")), "");
    }
  }
  return lines.join("\n");
}

function growthSection(growth: Growth): string[] {
  return [
    "## Growth",
    "",
    `noeig on ${growth.engine}. Time of whole runs over their evaluations, best of several.`,
    "",
    "![growth](growth.svg)",
    "",
    ...growth.lines.flatMap((line) => [growthTitle(line), "", markdownTable(growthTable(line)), ""]),
    ...(growth.profiles.length > 0
      ? [
          "Where the time goes: calls an evaluation, time of an entry of an n×p matrix, and the bandwidth if every matrix of a call is moved once.",
          "",
          markdownTable(profileTable(growth)),
          "",
        ]
      : []),
    "Memory:",
    "",
    ...memoryText(growth).map((line) => `- ${line}.`),
    "",
  ];
}

const called = import.meta.url === pathToFileURL(process.argv[1] ?? "").href;
const args = process.argv.slice(2);
if (called && args.includes("specialists")) process.exitCode = reportSpecialists(args);
else if (called && args.includes("structure")) process.exitCode = reportStructure(args);
else if (called && args.includes("constraints")) process.exitCode = reportConstraints(args);
else if (called && args.includes("--suite")) process.exitCode = reportAny(args);
else if (called) {
  try {
    const { path, results } = loadResults(process.argv[2]);
    mkdirSync(join(ROOT, "docs"), { recursive: true });
    writeFileSync(join(ROOT, "docs/benchmarks.md"), report(results, relative(ROOT, path)));
    if (results.growth) saveGrowthPlot(results.growth);
    console.log("docs/benchmarks.md");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
