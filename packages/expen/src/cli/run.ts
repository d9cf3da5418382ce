/** A run of the library on an opened problem, with progress, Ctrl-C, and the exceptions of a user's file. */

import type { Nonsmooth, Reason, State } from "@expen/core";
import { ObjectiveError, plain, type Result, type StiefelOptions, type SubjectOptions, violationOf } from "@expen/core";
import { ContractError, FormError, GradientError } from "@expen/core/check";
import { type SolverName, solve, solvers } from "@expen/solvers";
import { guarded, unguarded } from "./guarded.js";
import { InputError, messageOf } from "./input-error.js";
import type { OpenedProblem } from "./problem.js";
import { progress } from "./progress.js";

interface RunContext {
  controller: AbortController;
  quiet?: boolean;
  /** compare the derivatives of f with its values before the run */
  check?: boolean;
}

/** A result always, with the last good point, once the run has begun; an InputError where it could not begin. */
export async function run(
  problem: OpenedProblem,
  name: SolverName,
  options: StiefelOptions & SubjectOptions,
  { controller, quiet = false, check = false }: RunContext,
): Promise<Result> {
  const { bound } = problem;
  const { E } = bound;
  const guard = E.ranks ? unguarded(problem.objective) : guarded(E, problem.objective, () => controller.abort());
  const constraint = bound.on.traits.orthonormal ? "‖XᵀX−I‖" : "‖K‖";
  // only some ranks may write a line at a time, and a norm is a sum over all of them
  const violation = violationOf(E, bound.on);
  const feasibilityOf = E.ranks ? undefined : (s: State): number => violation(s.X);
  const line = progress(name, { quiet, constraint, ...(feasibilityOf && { feasibilityOf }) });
  let last: State | undefined;
  try {
    const result = await solve(problem, guard.objective, optionsFor(problem, name, options, controller.signal), {
      ...(check && { check: { gradient: true, forms: true, finite: true, without: "--no-check" } }),
      onState(s) {
        last = s;
        line.see(s);
      },
    });
    result.notes.unshift(...problem.notes);
    if (problem.nonsmooth) result.notes.push(aboutNonsmooth(problem.nonsmooth, result));
    const thrown = guard.thrown();
    if (thrown && !guard.worked()) throw thrown;
    return thrown ? { ...result, ...failureOf(problem.name, thrown) } : result;
  } catch (error) {
    const thrown = guard.thrown();
    if (thrown && !(last && guard.worked())) {
      throw new InputError(`${problem.name}: f or its derivatives throw at the start: ${thrown.message}`);
    }
    if (isMistake(error)) throw new InputError(`${problem.name}: ${messageOf(error)}`, { cause: error });
    if (E.ranks && (last || error instanceof ObjectiveError)) throw error;
    if (!last) throw new InputError(messageOf(error), { cause: error });
    if (!thrown) throw error;
    const X = error instanceof ObjectiveError ? error.X : plain(bound, last.X);
    throw new ObjectiveError(failureOf(problem.name, thrown).reason.text, X, thrown);
  } finally {
    line.end();
  }
}

/** The options of this solver: a term that is not smooth goes to those with proximal maps, and the known minimum to the others. */
function optionsFor(
  { nonsmooth, optimum }: OpenedProblem,
  name: SolverName,
  { finish, ...options }: StiefelOptions & SubjectOptions,
  signal: AbortSignal,
): StiefelOptions & SubjectOptions {
  const common = { ...options, solver: name, signal };
  if (nonsmooth && "nonsmooth" in solvers[name].schema) return { ...common, nonsmooth };
  const minimum = optimum();
  return { ...common, ...(finish && { finish }), ...(minimum !== undefined && { optimum: minimum }) };
}

const isMistake = (error: unknown): boolean =>
  error instanceof GradientError || error instanceof FormError || error instanceof ContractError;

function aboutNonsmooth({ kind, weight }: Nonsmooth, { sparsity, n, p }: Result): string {
  return sparsity
    ? `${sparsity.zeros} of ${n * p} entries and ${sparsity.zeroRows} of ${n} rows of X are zero, read before the projection; f includes ${weight}·${kind}`
    : `the smooth part only was minimised: ${weight}·${kind} needs --solver slpg`;
}

function failureOf(name: string, error: Error): { status: string; reason: Reason } {
  const text = `${name}: f or its derivatives threw during the run: ${error.message}`;
  return { status: "not-finite", reason: { kind: "not-finite", converged: false, text } };
}
