/** The runs of a reproduction. A run that serves several tables, or the figure too, is one task. */
import { type Competitor, competitors } from "./competitors.js";
import { type PaperTable, paperTables, type TableId } from "./paper-tables.js";

export interface Size {
  readonly n: number;
  readonly p: number;
}

export interface Plan {
  readonly tables: readonly TableId[];
  readonly figure: boolean;
  /** number of starts for each row, with seeds 1 … runs */
  readonly runs: number;
  readonly competitors: readonly Competitor[];
  readonly quick: boolean;
  readonly engine: string;
  /** sizes in place of the paper's, for every table and the figure */
  readonly sizes?: readonly Size[];
}

/** Absolute tolerance of the gradient norm in the paper's experiments (section 4.2) */
export const TOLERANCE = 1e-3;
/** Most iterations in the paper's experiments (section 4.2) */
export const MAX_ITERATIONS = 10_000;
/** Seed of the instance of every row: the paper has one instance for each */
export const INSTANCE_SEED = 1;
/** Gradient norm of the run that computes f* of the figure, which has no closed form */
const REFERENCE_TOLERANCE = 1e-7;
/** Largest sizes of a quick run */
const QUICK_LARGEST = { n: 1000, p: 50 };

/** Sizes of the paper's figure: ExPen-CG on the nonlinear eigenvalue problem */
const FIGURE_SIZES: readonly Size[] = [
  { n: 250, p: 50 },
  { n: 2000, p: 50 },
  { n: 1000, p: 100 },
];

const reference: Competitor = { label: "reference", name: "reference", solver: "auto", options: {} };

export interface Task extends Size {
  readonly problem: "noeig" | "brockett";
  readonly competitor: Competitor;
  /** seed of the start */
  readonly start: number;
  readonly tolerance: number;
  readonly maxIterations: number;
  /** whether f, stationarity and feasibility are recorded at each iterate */
  readonly curve: boolean;
  /** estimated seconds on the paper's machine, for the remaining time */
  readonly weight: number;
}

interface TableRows {
  readonly table: PaperTable;
  readonly sizes: readonly Size[];
  /** rows of the paper that a quick run omits */
  readonly leftOut: readonly Size[];
}

/** Whether a plan includes this size: a quick run omits large ones */
const inPlan = ({ quick, sizes }: Plan, { n, p }: Size): boolean =>
  !quick || sizes !== undefined || (n <= QUICK_LARGEST.n && p <= QUICK_LARGEST.p);

/** The rows of each table */
export function rowsOf(plan: Plan): TableRows[] {
  const { tables, sizes } = plan;
  return paperTables
    .filter(({ id }) => tables.includes(id))
    .map((table) => {
      const all = sizes ?? table.groups.map(({ n, p }) => ({ n, p }));
      const isInPlan = (size: Size): boolean => inPlan(plan, size);
      return { table, sizes: all.filter(isInPlan), leftOut: all.filter((s) => !isInPlan(s)) };
    });
}

export const figureSizes = ({ sizes }: Plan): readonly Size[] => sizes?.slice(0, 3) ?? FIGURE_SIZES;

/** The tasks in the order of their runs: instance by instance, with all competitors and starts of each */
export function tasksOf(plan: Plan): Task[] {
  const tasks = new Map<string, Task>();
  const add = (problem: Task["problem"], size: Size, competitor: Competitor, start: number): void => {
    const isReference = competitor === reference;
    const task: Task = {
      problem,
      ...size,
      competitor,
      start,
      tolerance: isReference ? REFERENCE_TOLERANCE : TOLERANCE,
      maxIterations: MAX_ITERATIONS,
      curve:
        !isReference &&
        problem === "noeig" &&
        start === 1 &&
        figureSizes(plan).some((s) => s.n === size.n && s.p === size.p),
      weight: weight(problem, size, competitor),
    };
    tasks.set(taskKey(task, plan.engine), task);
  };
  for (const { table, sizes } of rowsOf(plan)) {
    for (const size of sizes) {
      for (const competitor of plan.competitors) {
        for (let start = 1; start <= plan.runs; start++) add(table.problem, size, competitor, start);
      }
    }
  }
  if (plan.figure) {
    for (const size of figureSizes(plan)) {
      const inFigure = plan.competitors.filter((c) => c.always || inPlan(plan, size));
      for (const competitor of [...inFigure, reference]) add("noeig", size, competitor, 1);
    }
  }
  const instance = (t: Task): string => `${t.problem} ${t.n} ${t.p}`;
  const order = [...new Set([...tasks.values()].map(instance))];
  return [...tasks.values()].sort((a, b) => order.indexOf(instance(a)) - order.indexOf(instance(b)));
}

/** Equal keys denote equal runs. The starts of a row do not depend on their number. */
export function taskKey(
  { problem, n, p, competitor, start, tolerance, maxIterations, curve }: Task,
  engine: string,
): string {
  const { solver, options } = competitor;
  const settings = Object.entries({ tol: tolerance, max: maxIterations, ...options }).map(([k, v]) => `${k}=${v}`);
  return [
    problem,
    `n=${n}`,
    `p=${p}`,
    `seed=${INSTANCE_SEED}`,
    solver,
    ...settings,
    `start=${start}`,
    engine,
    ...(curve ? ["curve"] : []),
  ].join(" ");
}

/** Seconds in the paper's row, if there is one, otherwise proportional to n·p², or to n·p·(n + p) for brockett */
function weight(problem: string, { n, p }: Size, competitor: Competitor): number {
  const group = paperTables
    .filter((t) => t.problem === problem)
    .flatMap((t) => t.groups)
    .find((g) => g.n === n && g.p === p);
  const printed = (name: string): number | undefined => group?.rows.find((r) => r.solver === name)?.seconds;
  const own = competitor.paper && competitors.includes(competitor) ? printed(competitor.paper) : undefined;
  return own ?? (printed("ExPen-CG") ?? 1e-6 * n * p * (p + (problem === "brockett" ? n : 1))) * 0.5;
}
