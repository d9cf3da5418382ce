import type { Evaluations, Result, State, StiefelOptions } from "@expen/core";
import { drain, measurer, randomStart } from "@expen/core";
import type { Engine } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { solveStiefel } from "@expen/solvers";
import type { Problem } from "../problems/problem.js";
import { INSTANCE_SEED, type Task, taskKey } from "./plan.js";

/** The history of a run by columns, at the projected iterates; feasibility before the projection */
export interface Curve {
  k: number[];
  evaluations: number[];
  seconds: number[];
  f: number[];
  stationarity: number[];
  feasibility: number[];
}

/** One finished run, as stored on disk */
export interface RunRecord {
  key: string;
  problem: string;
  n: number;
  p: number;
  instance: number;
  label: string;
  solver: string;
  start: number;
  engine: string;
  converged: boolean;
  status: string;
  text: string;
  fval: number;
  iterations: number;
  evaluations: Evaluations;
  stationarity: number;
  feasibility: number;
  /** time without that of the observer */
  seconds: number;
  beta: number | null;
  optimum: number | null;
  gap: number | null;
  /** seconds until f at the projected iterate was within 1e-4·|f*| of f*; null if f* is unknown */
  secondsToGap: number | null;
  curve?: Curve;
  machine: string;
  at: string;
}

const NOTHING = {
  converged: false,
  status: "failed",
  fval: Number.NaN,
  iterations: 0,
  evaluations: { f: 0, grad: 0, hvp: 0 },
  stationarity: Number.NaN,
  feasibility: Number.NaN,
  seconds: 0,
  beta: null,
  gap: null,
  secondsToGap: null,
};

/** relative gap of the column "time to 1e-4" */
const RELATIVE_GAP = 1e-4;
/** Relative distance of h from f* above which the iterate is not projected and measured: measuring takes time */
const NEAR = 1e-2;
const short = (x: number): number => Number(x.toPrecision(6));

/** Runs a task on its problem. The time of measuring iterates is not counted. */
export async function runTask(
  E: Engine,
  problem: Problem,
  task: Task,
  {
    signal,
    observe,
    machine,
    now,
  }: { signal?: AbortSignal; observe?: (s: State) => void; machine: string; now: () => Date },
): Promise<RunRecord> {
  const { n, p, competitor, start } = task;
  const f = problem.objective;
  const optimum = problem.optimum;
  const project = polar(E, n, p);
  const { measure, feasibilityOf } = measurer(E, f);
  const Y = E.tall(n, p);
  const curve: Curve = { k: [], evaluations: [], seconds: [], f: [], stationarity: [], feasibility: [] };
  let looking = 0;
  let secondsToGap: number | null = null;

  function look(s: State): void {
    const before = performance.now();
    const seconds = s.seconds - looking;
    observe?.(s);
    const near = optimum !== undefined && secondsToGap === null && Math.abs(s.f - optimum) <= NEAR * Math.abs(optimum);
    const sampled = task.curve && s.k % Math.max(1, Math.floor(s.k / 100)) === 0;
    if ((near || sampled) && project(Y, s.X) === p) {
      const at = measure(Y);
      if (near && at.fval - optimum <= RELATIVE_GAP * Math.abs(optimum)) secondsToGap = seconds;
      if (sampled) {
        curve.k.push(s.k);
        curve.evaluations.push(s.evaluations.f);
        curve.seconds.push(short(seconds));
        curve.f.push(at.fval);
        curve.stationarity.push(short(at.stationarity));
        curve.feasibility.push(short(feasibilityOf(s.X)));
      }
    }
    looking += (performance.now() - before) / 1000;
  }

  const about = {
    key: taskKey(task, E.name),
    problem: task.problem,
    n,
    p,
    instance: INSTANCE_SEED,
    label: competitor.label,
    solver: competitor.solver,
    start,
    engine: E.name,
  };
  let r: Result;
  try {
    r = await drain(
      solveStiefel(E, f, {
        solver: competitor.solver as StiefelOptions["solver"],
        ...competitor.options,
        tol: task.tolerance,
        maxIterations: task.maxIterations,
        start: randomStart(E, n, p, start),
        seed: start,
        optimum,
        certificate: "stationary",
        observe: look,
        signal,
      }),
    );
  } catch (error) {
    // a solver that throws is a failed row of the report
    return {
      ...about,
      ...NOTHING,
      text: (error as Error).message,
      optimum: optimum ?? null,
      machine,
      at: now().toISOString(),
    };
  }
  return {
    ...about,
    converged: r.reason.converged,
    status: r.status,
    text: r.reason.text,
    fval: r.fval,
    iterations: r.iterations,
    evaluations: r.evaluations,
    stationarity: r.stationarity,
    feasibility: r.feasibility,
    seconds: Math.max(0, r.seconds - looking),
    beta: r.run.beta ?? null,
    optimum: r.optimum,
    gap: r.gap,
    secondsToGap,
    ...(task.curve && { curve }),
    machine,
    at: now().toISOString(),
  };
}
