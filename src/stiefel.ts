/** The straight line: your f → objective → solver → states → stop → projection → certificate → result. */
import { type CertifyOptions, certify } from "./certify.js";
import { requireGradient } from "./check/before-run.js";
import { requireForms } from "./check/forms.js";
import { diagnose } from "./diagnose.js";
import { withEngine } from "./engines/open.js";
import { requireMemory } from "./memory/require.js";
import { digits } from "./numbers.js";
import { counted, objective, type UserObjective } from "./objective.js";
import { checkOptions, type MinimizeOptions, type StiefelOptions } from "./options.js";
import { sparsityPattern } from "./penalty/proximal.js";
import type { Result } from "./result.js";
import { newRun, nothingSpent, type Run, type Spent, startOf } from "./run/context.js";
import { type End, INFEASIBLE, round } from "./run/round.js";
import { leaveSaddle } from "./run/saddle.js";
import { solverParts } from "./solvers/need.js";
import type { Engine, Objective, State } from "./types.js";

export type { Spent } from "./run/context.js";

const MAX_SADDLES = 5;
/** The certificate may take as many gradients as the run did, and at least these: enough to see that a start is a saddle. */
const LEAST_BUDGET = 16;

type Outcome = ReturnType<typeof certify>;

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

function certifyOptions({ E, o, evaluations, ...run }: Run, { state, reason, measures }: End): CertifyOptions {
  const beta = state.notes?.plainBeta;
  const tolerance = run.tolerance(state);
  return {
    // at the rounding floor the projected point may stand a little above it
    tolerance: reason.kind === "rounding" ? Math.max(tolerance, 10 * state.gnorm) : tolerance,
    optimum: o.optimum,
    secondOrder: o.certificate !== "stationary" && reason.converged,
    budget: o.certificateBudget ?? Math.max(LEAST_BUDGET, evaluations.grad + evaluations.hvp),
    // who asks for a number of evaluations gets them all
    ...(o.certificateBudget !== undefined && { lanczosSteps: o.certificateBudget }),
    flops: E.counters.flops - run.flops,
    evaluations: run.certifying.evaluations,
    seed: run.seed,
    nonsmooth: o.nonsmooth,
    measurer: run.ruler,
    measures,
    ...(beta !== undefined && { beta, penaltyGradient: state.gnorm }),
  };
}

function resultOf(run: Run, end: End, outcome: Outcome, seconds: number): Result {
  const { E, f, o, X, notes, certifying } = run;
  const { n, p } = f;
  const { state, before } = end;
  if (n === p && n > 1) {
    const parts = "for n = p the orthogonal matrices fall into two parts, det X = 1 and det X = −1";
    notes.push(`${parts}; negate a column of the start to search the other part`);
  }
  const reason = diagnose(E, f, end, { before, outcome, infeasible: INFEASIBLE });
  const { fval, stationarity, feasibility } = outcome.measures;
  return {
    n,
    p,
    seed: run.seed,
    solver: o.solver ?? "expen",
    engine: E.name,
    beta: state.notes?.plainBeta ?? state.notes?.beta ?? null,
    status: reason.converged ? "converged" : reason.kind,
    reason,
    fval,
    stationarity,
    feasibility,
    feasibilityBeforeProjection: before,
    iterations: run.done,
    evaluations: { ...run.evaluations },
    seconds,
    optimum: o.optimum ?? null,
    gap: o.optimum === undefined ? null : fval - o.optimum,
    certificate: { ...outcome.certificate, evaluations: { ...certifying.evaluations }, seconds: certifying.seconds },
    notes,
    ...(o.history && { history: run.history }),
    ...(o.nonsmooth && { sparsity: sparsityPattern({ rows: n, cols: p, data: E.read(state.X) }) }),
    X: { rows: n, cols: p, data: E.read(X) },
  };
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
  return withEngine(engine, async (E) => {
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
    return drain(solveStiefel(E, complete, options, spent));
  });
}

/** Runs the generator to its end, pausing for the event loop between slices of time. */
export async function drain<T>(steps: Generator<State, T>, sliceMilliseconds = 25): Promise<T> {
  for (let until = performance.now() + sliceMilliseconds; ; ) {
    const next = steps.next();
    if (next.done) return next.value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + sliceMilliseconds;
  }
}
