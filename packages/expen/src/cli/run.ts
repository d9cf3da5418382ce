/** One run from the command line: the library's driver with progress, Ctrl-C and a user's exceptions around it. */

import type { Nonsmooth, Reason, State } from "@expen/core";
import {
  drain,
  nothingSpent,
  ObjectiveError,
  plain,
  type Result,
  type Spent,
  type StiefelOptions,
  violationOf,
} from "@expen/core";
import { requireMemory } from "@expen/linalg/memory";
import { type SolverName, solveOn, solverPartsOn, solvers } from "@expen/solvers";
import { guarded, unguarded } from "./guarded.js";
import { InputError, messageOf, oneOf } from "./input-error.js";
import type { OpenedProblem } from "./problem.js";
import { progress } from "./progress.js";
import type { SolverFlags } from "./solver-flags.js";

/** The options of a run that `solve` and `compare` share, as commander gives them. */
export interface RunFlags extends SolverFlags {
  n?: number;
  p?: number;
  on?: string;
  seed: number;
  engine: string;
  threads?: number;
  tol?: number;
  relTol?: number;
  maxIter?: number;
  maxEvals?: number;
  maxTime?: number;
  certificate?: "stationary" | "second-order";
  certificateBudget?: number;
  finish?: "newton";
  start?: string;
  quiet?: boolean;
  json?: boolean;
}

export const solverNames = Object.keys(solvers) as SolverName[];
export const solverName = (text: string): SolverName => oneOf("solver", text, solverNames);

/** What the flags say about a run, whatever the solver; what they do not say is the library's default. */
export function commonOptions(flags: RunFlags): StiefelOptions {
  const { tol, relTol, maxIter, maxEvals, maxTime, certificate, certificateBudget, finish, seed } = flags;
  return {
    seed,
    ...(tol !== undefined && { tol }),
    ...(relTol !== undefined && { relTol }),
    ...(maxEvals !== undefined && { maxEvaluations: maxEvals }),
    ...(maxIter !== undefined && { maxIterations: maxIter }),
    ...(maxTime !== undefined && { maxSeconds: maxTime }),
    ...(certificate && { certificate }),
    ...(certificateBudget !== undefined && { certificateBudget }),
    ...(finish && { finish }),
  };
}

interface RunContext {
  controller: AbortController;
  quiet?: boolean;
  title?: string;
  /** what was done before for the sake of this run */
  spent?: Spent;
}

/** A result always, with the last good point, once the run has begun; an InputError where it could not begin. */
export async function run(
  problem: OpenedProblem,
  name: SolverName,
  options: StiefelOptions,
  { controller, quiet = false, title = name, spent }: RunContext,
): Promise<Result> {
  const { bound, on } = problem;
  const { E } = bound;
  const guard = E.ranks ? unguarded(problem.objective) : guarded(E, problem.objective, () => controller.abort());
  const constraint = bound.on.traits.orthonormal ? "‖XᵀX−I‖" : "‖K‖";
  // a line on one rank must not ask the others for a sum
  const violation = violationOf(E, bound.on);
  const feasibilityOf = E.ranks ? undefined : (s: State): number => violation(s.X);
  const line = progress(title, { quiet, constraint, ...(feasibilityOf && { feasibilityOf }) });
  const proximal = problem.nonsmooth && "nonsmooth" in solvers[name].schema;
  const { finish, ...rest } = options;
  const optimum = proximal ? undefined : problem.optimum();
  let last: State | undefined;
  try {
    const chosen: StiefelOptions = {
      ...(proximal ? rest : options),
      solver: name,
      signal: controller.signal,
      ...(optimum !== undefined && { optimum }),
      ...(proximal && { nonsmooth: problem.nonsmooth! }),
    };
    requireMemory(on.n, on.p, solverPartsOn(on.shapes, chosen), bound.base);
    const steps = solveOn({ bound, text: on.text }, guard.objective, chosen, spent ?? nothingSpent());
    const result = await drain(watched(steps));
    result.notes.unshift(...problem.notes);
    if (problem.nonsmooth) result.notes.push(aboutNonsmooth(problem.nonsmooth, result));
    const thrown = guard.thrown();
    if (thrown && !guard.worked()) throw thrown;
    return thrown ? { ...result, ...blamed(problem.name, thrown) } : result;
  } catch (error) {
    const thrown = guard.thrown();
    if (thrown && !guard.worked())
      throw new InputError(`${problem.name}: f or its derivatives throw at the start: ${thrown.message}`);
    if (E.ranks) throw error;
    if (!last) throw new InputError(messageOf(error), { cause: error });
    if (!thrown) throw error;
    const X = error instanceof ObjectiveError ? error.X : plain(bound, last.X);
    throw new ObjectiveError(blamed(problem.name, thrown).reason.text, X, thrown);
  } finally {
    line.end();
  }

  /** The same steps, each shown: states of the algebra, not views */
  function* watched(steps: Generator<State, Result, void>): Generator<State, Result, void> {
    for (;;) {
      const next = steps.next();
      if (next.done) return next.value;
      last = next.value;
      line.see(last);
      yield last;
    }
  }
}

function aboutNonsmooth({ kind, weight }: Nonsmooth, { sparsity, n, p }: Result): string {
  return sparsity
    ? `${sparsity.zeros} of ${n * p} entries and ${sparsity.zeroRows} of ${n} rows of X are zero, read before the projection; f includes ${weight}·${kind}`
    : `the smooth part only was minimised: ${weight}·${kind} needs --solver slpg`;
}

function blamed(name: string, error: Error): { status: string; reason: Reason } {
  const text = `${name}: f or its derivatives threw during the run: ${error.message}`;
  return { status: "not-finite", reason: { kind: "not-finite", converged: false, text } };
}

/** One schema for every command: the keys and their order are those of docs/cli.md. */
export function runDocument(problem: string, result: Omit<Result, "X">): Record<string, unknown> {
  const { run, n, p, status, reason, fval, stationarity, feasibility, feasibilityBeforeProjection } = result;
  const { iterations, evaluations, seconds, optimum, gap, certificate, notes, communication } = result;
  const { on, seed, solver, engine, beta = null } = run;
  return {
    ...{ problem, on, n, p, seed, solver, engine, beta, status, reason, fval, stationarity },
    ...{ feasibility, feasibilityBeforeProjection, iterations, evaluations, seconds, optimum, gap },
    ...{ certificate, notes },
    ...(communication && { communication }),
  };
}

/** Converged, and feasible: only this is a success. */
export const succeeded = (result: Omit<Result, "X">): boolean =>
  result.reason.converged && result.certificate.level !== "none";

/** A success in words */
export const successOf = ({ status }: Pick<Result, "status">): string =>
  status === "rounding" ? "converged as far as rounding lets it" : "converged";
