/** The content that all three forms of the report share */
import type { Plan, RunRecord } from "@expen/experiments/paper";
import {
  type Cell,
  INSTANCE_SEED,
  MAX_ITERATIONS,
  type Summary,
  summarise,
  TOLERANCE,
  taskKey,
  tasksOf,
} from "@expen/experiments/paper";

export interface Report {
  title: string;
  command: string;
  /** when the last of the runs ended */
  date: string;
  machines: string[];
  settings: { tolerance: number; maxIterations: number; instanceSeed: number; startSeeds: string; engine: string };
  /** results, a sentence each */
  findings: string[];
  /** omissions of the report, a sentence each */
  remarks: string[];
  summary: Summary;
}

interface ReportContext {
  command: string;
  missing: readonly string[];
  leftOut: readonly string[];
}

export function makeReport(plan: Plan, records: ReadonlyMap<string, RunRecord>, context: ReportContext): Report {
  const summary = summarise(plan, records);
  const used = tasksOf(plan).flatMap((task) => records.get(taskKey(task, plan.engine)) ?? []);
  const dates = used.map((r) => r.at).sort();
  const machines = [...new Set(used.map((r) => r.machine))];
  return {
    title: "An exact penalty for orthonormal columns: the paper's experiments, run again",
    command: context.command,
    date: dates.at(-1) ?? "",
    machines,
    settings: {
      tolerance: TOLERANCE,
      maxIterations: MAX_ITERATIONS,
      instanceSeed: INSTANCE_SEED,
      startSeeds: plan.runs === 1 ? "1" : `1–${plan.runs}`,
      engine: plan.engine,
    },
    findings: findings(summary),
    remarks: [
      ...remarks(plan, summary, context),
      ...(machines.length > 1
        ? ["Runs of several machines or versions are mixed here; for times that can be compared begin in a new folder."]
        : []),
    ],
    summary,
  };
}

const percent = (ratio: number): string => `${ratio >= 1 ? "+" : "−"}${Math.abs(100 * (ratio - 1)).toFixed(0)} %`;
const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

const PROBLEM_TITLES = { noeig: "the nonlinear eigenvalue problem", brockett: "Brockett's function" };

function findings({ tables }: Summary): string[] {
  const groups = tables.flatMap((t) => t.groups.map((g) => ({ ...g, problem: t.problem })));
  const cells = groups.flatMap((g) => g.cells);
  const findings: string[] = [];
  const comparable = cells.filter((c) => c.agrees !== null);
  const agreeing = comparable.filter((c) => c.agrees).length;
  if (comparable.length > 0) {
    const all = agreeing === comparable.length ? "All" : `${agreeing} of`;
    findings.push(
      `${all} ${comparable.length} mean values of the nonlinear eigenvalue problem agree with the paper's to all printed digits.`,
    );
  }
  for (const [problem, title] of Object.entries(PROBLEM_TITLES)) {
    const ratios = groups
      .filter((g) => g.problem === problem)
      .flatMap((g) => g.cells.filter((c) => c.label === "ExPen-CG").flatMap((c) => c.iterationRatio ?? []));
    if (ratios.length === 0) continue;
    const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
    findings.push(
      `On ${title} ExPen-CG's mean iterations differ from the paper's by ${percent(low)} to ${percent(high)} (median ${percent(median(ratios))}).`,
    );
  }
  const savings = groups.flatMap(({ cells }) => {
    const [cg, best] = ["ExPen-CG", "auto (default)"].map((label) => cells.find((c) => c.label === label)?.mean);
    return cg && best ? [(cg.evaluations + cg.hvp) / (best.evaluations + best.hvp)] : [];
  });
  if (savings.length > 0) {
    findings.push(
      `The default solver needs ${Math.min(...savings).toFixed(1)} to ${Math.max(...savings).toFixed(1)} times fewer evaluations than ExPen-CG (median ${median(savings).toFixed(1)}).`,
    );
  }
  const gaps = groups
    .filter((g) => g.optimum !== null)
    .flatMap((g) => g.cells.flatMap((c) => (c.mean?.gap != null ? [c.mean.gap / Math.abs(g.optimum!)] : [])));
  if (gaps.length > 0) {
    findings.push(
      `On Brockett's function the relative distance to the closed form is at most ${Math.max(...gaps).toExponential(1)}.`,
    );
  }
  // a row that is in two tables was run once
  const rows = new Map(groups.map((g) => [`${g.problem} ${g.n} ${g.p}`, g.cells]));
  const once = [...rows.values()].flat();
  const failures = once.reduce((sum, c) => sum + c.runs - c.converged, 0);
  const runs = once.reduce((sum, c) => sum + c.runs, 0);
  if (runs > 0)
    findings.push(
      failures === 0
        ? `Every run converged to a feasible point.`
        : `${failures} of ${runs} runs in the tables did not converge; they are marked.`,
    );
  return findings;
}

function remarks(plan: Plan, summary: Summary, { missing, leftOut }: ReportContext): string[] {
  const sentences: string[] = [];
  if (!summary.complete)
    sentences.push(
      `Incomplete: ${summary.finished} of ${summary.planned} runs are finished; the same command continues with the rest.`,
    );
  if (missing.length > 0) sentences.push(`Not in this build: ${missing.join(", ")}.`);
  if (leftOut.length > 0) sentences.push(`Left out of a quick run because it is slow: ${leftOut.join(", ")}.`);
  const rows = summary.tables.flatMap((t) => t.leftOut);
  if (rows.length > 0)
    sentences.push(
      `A quick run leaves out the largest rows (${rows.length} of the paper's); a run without --quick has them.`,
    );
  if (summary.tables.some((t) => t.problem === "brockett")) {
    sentences.push(
      "The paper's random matrices B and C are not known. Ours are symmetrised Gaussian matrices divided by their spectral norm, one instance a row: f differs, the size of the problem and the tolerance do not.",
    );
  }
  if (plan.competitors.some((c) => c.solver === "rcg")) {
    sentences.push(
      "The paper's RCG counts are those of Fletcher–Reeves; PyManopt's default rule is Hestenes–Stiefel. A full run has both, each next to the printed row.",
    );
  }
  sentences.push(
    "The paper's times are from an AMD Ryzen 5800H with NumPy, ours from the machine named below. Compare times within one column only.",
  );
  return sentences;
}

/** One line of a table: the same cells in HTML and Markdown */
interface Line {
  label: string;
  /** [ours, paper's] */
  f: [string, string];
  iterations: [string, string];
  difference: string;
  evaluations: string;
  stationarity: [string, string];
  feasibility: [string, string];
  seconds: [string, string];
  gap: string;
  secondsToGap: string;
  note: string;
}

const few = (x: number | null | undefined): string => (x == null ? "–" : x === 0 ? "0" : x.toExponential(2));
const time = (x: number | null | undefined): string => (x == null ? "–" : x < 0.1 ? x.toPrecision(2) : x.toFixed(2));
const count = (x: number | null | undefined): string => (x == null ? "–" : x.toFixed(1));
/** A number with as many digits as the paper prints */
const printedValue = (x: number | null | undefined): string => (x == null ? "–" : x.toPrecision(7).replace("-", "−"));

export function lineOf(c: Cell): Line {
  const { mean, paper } = c;
  const evaluations = mean ? count(mean.evaluations) + (mean.hvp > 0 ? ` + ${count(mean.hvp)} hvp` : "") : "–";
  return {
    label: c.label,
    f: [printedValue(mean?.fval), printedValue(paper?.fval)],
    iterations: [count(mean?.iterations), count(paper?.iterations)],
    difference: c.iterationRatio === null ? "" : percent(c.iterationRatio),
    evaluations,
    stationarity: [few(mean?.stationarity), few(paper?.stationarity)],
    feasibility: [few(mean?.feasibility), few(paper?.feasibility)],
    seconds: [time(mean?.seconds), time(paper?.seconds)],
    gap: few(mean?.gap),
    secondsToGap: time(mean?.secondsToGap),
    note:
      c.runs === 0
        ? "not run yet"
        : c.converged < c.runs
          ? `${c.converged} of ${c.runs} converged: ${c.failures.join("; ")}`
          : "",
  };
}
