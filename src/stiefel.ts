/** The straight line: your f → objective → solver → states → stop → projection → certificate → result. */
import { certify } from "./certify.js";
import { requireGradient } from "./check/before-run.js";
import { requireForms } from "./check/forms.js";
import { withEngine } from "./engines/open.js";
import { requireMemory } from "./memory/require.js";
import { digits } from "./numbers.js";
import { counted, objective, type UserObjective } from "./objective.js";
import { checkOptions, type MinimizeOptions, type StiefelOptions } from "./options.js";
import type { Result } from "./result.js";
import { newRun, nothingSpent, type Spent, startOf } from "./run/context.js";
import { drain } from "./run/drain.js";
import { certifyOptions, resultOf } from "./run/outcome.js";
import { INFEASIBLE, round } from "./run/round.js";
import { leaveSaddle } from "./run/saddle.js";
import { solverParts } from "./solvers/need.js";
import type { Engine, Objective, State } from "./types.js";

export type { Spent } from "./run/context.js";
export { drain } from "./run/drain.js";

const MAX_SADDLES = 5;

/**
 * f → solver → projection → certificate, as a generator of states: step it, or drain it with `minimizeStiefel`. A point is called
 * converged only if its projection is stationary; where the certificate shows a saddle, another round begins below it.
 */
export function* solveStiefel(
  E: Engine,
  f: Objective,
  o: StiefelOptions = {},
  spent: Spent = nothingSpent(),
): Generator<State, Result, void> {
  const { n, p } = f;
  checkOptions(n, p, o);
  requireMemory(n, p, solverParts(n, p, o), E);
  const run = newRun(E, f, o, spent);
  for (; ; run.saddles++) {
    let end = yield* round(run, o.solver ?? "expen");
    run.done += end.state.k;
    if (o.finish === "newton" && end.reason.kind === "gradient" && end.before <= INFEASIBLE) {
      end = yield* round(run, "expen-newton", true);
      run.done += end.state.k;
    }
    const seconds = run.elapsed() - run.certifying.seconds;
    const outcome = certify(E, f, run.X, certifyOptions(run, end));
    run.certifying.seconds += outcome.certificate.seconds;
    const { escape: direction, measures } = outcome;
    const again = end.reason.converged && run.saddles < MAX_SADDLES;
    const left = direction && again && leaveSaddle(run, direction, measures.fval);
    if (!left) {
      const result = resultOf(run, end, outcome, seconds);
      o.on?.end?.(result);
      return result;
    }
    const curvature = outcome.certificate.curvature!.lowest;
    o.on?.saddle?.({ fval: measures.fval, curvature, iterations: run.done });
    run.notes.push(`left a saddle at f = ${digits(measures.fval, 9)} along a direction of negative curvature`);
  }
}

/**
 * Minimises f over n×p matrices with orthonormal columns. `f` is {tape} for automatic derivatives, {f, grad} or {fg}, with hvp where
 * you have it, or a function of the engine that makes such an object. A gradient that does not belong to f is a `GradientError`, a
 * declared form that does not a `FormError`, a run that memory cannot hold a `MemoryError`. Lets the event loop run every few
 * milliseconds, so that a signal can stop it. Without `engine` it opens one and closes it when it ends; matrices that f made on it are
 * gone then, the result is not.
 */
export async function minimizeStiefel(
  f: UserObjective | ((E: Engine) => UserObjective),
  { n, p, engine, check = true, ...options }: MinimizeOptions,
): Promise<Result> {
  const spent = nothingSpent();
  const notes: string[] = [];
  // a tape runs on a device; a function may be written in loops over the numbers of X
  const size = typeof f !== "function" && f?.tape ? { n, p } : { n: 0, p: 0 };
  const solve = async (E: Engine): Promise<Result> => {
    checkOptions(n, p, options);
    requireMemory(n, p, solverParts(n, p, options), E);
    const given = typeof f === "function" ? f(E) : f;
    const complete = objective(E, given, n, p);
    if (check && (!given.tape || given.quadratic)) {
      const X = startOf(E, n, p, options, []);
      const seen = counted(complete, spent.evaluations);
      if (!given.tape) requireGradient(E, seen, X, options.seed ?? 1);
      if (given.quadratic) requireForms(E, seen, X);
    }
    const result = await drain(solveStiefel(E, complete, options, spent));
    result.notes.unshift(...notes);
    return result;
  };
  return withEngine(engine, solve, { size, notes });
}
