/** Means with the paper's numbers, curves and performance profiles: a pure function of the plan and its finished runs. */
import { type PaperRow, type PaperSolver, type PaperTable, paperRow } from "./paper-tables.js";
import { figureSizes, type Plan, rowsOf, type Size, taskKey, tasksOf } from "./plan.js";
import type { Curve, RunRecord } from "./run-task.js";

interface Means {
  fval: number;
  iterations: number;
  evaluations: number;
  hvp: number;
  stationarity: number;
  feasibility: number;
  seconds: number;
  gap: number | null;
  secondsToGap: number | null;
}

export interface Cell {
  label: string;
  /** number of finished and of converged runs; means are over the converged ones */
  runs: number;
  converged: number;
  mean: Means | null;
  paper: PaperRow | null;
  /** whether f rounded to the printed digits is the printed number; null if the paper's instance is unknown */
  agrees: boolean | null;
  /** mean iterations divided by the paper's */
  iterationRatio: number | null;
  /** the distinct reasons of runs that did not converge */
  failures: string[];
}

export interface TableSummary {
  id: string;
  problem: string;
  caption: string;
  groups: { n: number; p: number; optimum: number | null; cells: Cell[] }[];
  leftOut: Size[];
}

export interface FigureSummary extends Size {
  /** the least value of all converged runs */
  best: number;
  curves: { label: string; curve: Curve }[];
}

/** For each solver: fraction of the instances that it solved at a cost of at most τ times the least of all solvers */
export interface Profile {
  measure: "evaluations" | "seconds";
  instances: number;
  series: { label: string; points: [tau: number, fraction: number][] }[];
}

export interface Summary {
  complete: boolean;
  finished: number;
  planned: number;
  tables: TableSummary[];
  figure: FigureSummary[];
  profiles: Profile[];
}

export function summarise(plan: Plan, records: ReadonlyMap<string, RunRecord>): Summary {
  const tasks = tasksOf(plan);
  const done = tasks.flatMap((task) => {
    const record = records.get(taskKey(task, plan.engine));
    return record ? [{ task, record }] : [];
  });
  const of = (problem: string, { n, p }: Size, label: string): RunRecord[] =>
    done
      .filter(({ record: r }) => r.problem === problem && r.n === n && r.p === p)
      .filter(({ task }) => task.competitor.label === label && task.start <= plan.runs)
      .map(({ record }) => record);
  const labels = plan.competitors.map((c) => c.label);

  const tables = rowsOf(plan).map(({ table, sizes, leftOut }): TableSummary => {
    const groups = sizes.map((size) => ({
      ...size,
      optimum:
        done.find(({ record: r }) => r.problem === table.problem && r.n === size.n && r.p === size.p)?.record.optimum ??
        null,
      cells: plan.competitors.map((c) =>
        cell(
          c.label,
          of(table.problem, size, c.label),
          printed(table, size, c.paper),
          printed(table, size, "ExPen-CG"),
          table.problem,
        ),
      ),
    }));
    const { id, problem, caption } = table;
    return { id, problem, caption, groups, leftOut: [...leftOut] };
  });

  const figure = !plan.figure
    ? []
    : figureSizes(plan).map((size): FigureSummary => {
        const here = done.filter(({ record: r }) => r.problem === "noeig" && r.n === size.n && r.p === size.p);
        return {
          ...size,
          best: Math.min(...here.filter(({ record }) => record.converged).map(({ record }) => record.fval)),
          curves: here.flatMap(({ record: { label, curve } }) => (curve ? [{ label, curve }] : [])),
        };
      });

  const measured = done.filter(({ task }) => labels.includes(task.competitor.label)).map(({ record }) => record);
  const profiles = (["evaluations", "seconds"] as const).map((measure) => profile(measure, labels, measured));
  return {
    complete: done.length === tasks.length,
    finished: done.length,
    planned: tasks.length,
    tables,
    figure,
    profiles,
  };
}

const printed = ({ id }: PaperTable, { n, p }: Size, solver: PaperSolver | undefined): PaperRow | null =>
  (solver && paperRow(id, n, p, solver)) ?? null;

function cell(
  label: string,
  records: readonly RunRecord[],
  paper: PaperRow | null,
  printedValue: PaperRow | null,
  problem: string,
): Cell {
  const good = records.filter((r) => r.converged);
  const mean = good.length > 0 ? means(good) : null;
  // noeig is deterministic: every solver must reach the printed value
  const reference = problem === "noeig" ? printedValue : null;
  return {
    label,
    runs: records.length,
    converged: good.length,
    mean,
    paper,
    agrees: reference && mean ? Number(mean.fval.toPrecision(reference.digits)) === reference.fval : null,
    iterationRatio: paper && mean ? mean.iterations / paper.iterations : null,
    failures: [...new Set(records.filter((r) => !r.converged).map((r) => r.text))],
  };
}

function means(records: readonly RunRecord[]): Means {
  const mean = (of: (r: RunRecord) => number): number => records.reduce((sum, r) => sum + of(r), 0) / records.length;
  const known = (of: (r: RunRecord) => number | null): number | null =>
    records.every((r) => of(r) !== null) ? mean((r) => of(r)!) : null;
  return {
    fval: mean((r) => r.fval),
    iterations: mean((r) => r.iterations),
    evaluations: mean((r) => r.evaluations.f),
    hvp: mean((r) => r.evaluations.hvp),
    stationarity: mean((r) => r.stationarity),
    feasibility: mean((r) => r.feasibility),
    seconds: mean((r) => r.seconds),
    gap: known((r) => r.gap),
    secondsToGap: known((r) => r.secondsToGap),
  };
}

/** Dolan and Moré: ρ_s(τ) = share of the instances (row and start) with cost_s ≤ τ·min cost; a run that failed costs ∞. */
export function profile(
  measure: Profile["measure"],
  labels: readonly string[],
  records: readonly RunRecord[],
): Profile {
  const cost = (r: RunRecord): number =>
    !r.converged ? Number.POSITIVE_INFINITY : measure === "seconds" ? r.seconds : r.evaluations.f + r.evaluations.hvp;
  const instances = new Map<string, Map<string, number>>();
  for (const r of records) {
    const key = `${r.problem} ${r.n} ${r.p} ${r.start}`;
    if (!instances.has(key)) instances.set(key, new Map());
    instances.get(key)!.set(r.label, cost(r));
  }
  // only instances that every solver has run
  const full = [...instances.values()].filter((costs) => labels.every((label) => costs.has(label)));
  const series = labels.map((label) => {
    const ratios = full
      .map((costs) => costs.get(label)! / Math.min(...costs.values()))
      .filter(Number.isFinite)
      .sort((a, b) => a - b);
    const points = ratios.map((tau, i): [number, number] => [tau, (i + 1) / full.length]);
    return { label, points };
  });
  return { measure, instances: full.length, series };
}
