import type { Engine } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { MemoryError } from "@expen/linalg/memory";
import type { Constraint } from "../contracts/constraint.js";
import type { Reason, Solver, State, Stop } from "../contracts/method.js";
import { ObjectiveError, type Row } from "../contracts/result.js";
import { inView, plain, statesInView } from "../manifolds/view.js";
import { newState } from "../methods/state.js";
import { stageObserver } from "./events.js";
import { rowsOf } from "./history.js";
import type { RunSolver } from "./imports.js";
import { sharedSignal, stepCounter } from "./processes.js";
import type { End, Run } from "./run.js";
import {
  aborted,
  any,
  evaluations as calls,
  gradientBelow,
  iterations,
  ofUser,
  roundingBelow,
  seconds,
} from "./stop.js";
import { reachableNorm, requestedNorm, toleranceAt } from "./tolerance.js";

/** Iterations of a run, where the user sets no limit */
const MAX_ITERATIONS = 10_000;
/** ‖K‖ before projection from which X is no minimiser of h: near one, ‖K‖ ≤ 4‖∇h‖/β (Lemma 3.11). */
export const INFEASIBLE = 1e-2;
/** Factor to which the tolerance of the solver is lowered at most, while the projection of its point is above the requested one */
const TIGHTEST = 1e-3;

/** One run of a solver from `run.X` until it stops. `toFloor`: no tolerance stops it. */
export function* round(run: Run, { begin, isFeasible }: RunSolver, toFloor = false): Generator<State, End, void> {
  const { E, on, F, o, X, seed, saddles, evaluations } = run;
  const { precondition } = o;
  const signal = o.signal && (E.ranks ? sharedSignal(E.ranks, o.signal) : o.signal);
  // on several processes reading the signal costs a message; the rule for the first state reads it
  const steps =
    !E.ranks && o.signal?.aborted
      ? startOnly(run)
      : begin(E, F, X, {
          ...(toFloor ? {} : o),
          on,
          precondition: precondition && inView(run.bound, precondition),
          tolerance: o.tol,
          seed: seed + saddles,
          evaluations,
          note: (text) => run.notes.push(text),
          chose: (method) => {
            run.method = method;
          },
        });
  const observe = observer(run, o.history ? rowsOf(run, isFeasible) : undefined);
  let tighten = 1;
  const stop = any(
    (s) => (toFloor ? undefined : gradientStop(run, s, tighten)),
    ...(signal ? [aborted(signal)] : []),
    iterations(o.maxIterations ?? MAX_ITERATIONS, run.done),
    ...(o.maxEvaluations !== undefined ? [calls(o.maxEvaluations)] : []),
    ...(o.maxSeconds !== undefined ? [seconds(o.maxSeconds)] : []),
    runningAway(E, on),
    ...(o.stop ? [ofUser(o.stop)] : []),
  );
  for (let state: State | undefined; ; ) {
    const next = nextState(run, steps, state);
    if (next.done) {
      if (!state) throw new Error(`the solver ended before its first state: ${next.value.text}`);
      return endOf(run, state, next.value);
    }
    state = next.value;
    F.forget();
    observe(state);
    yield state;
    run.tolerance ??= toleranceAt(run, state);
    const reason = stop(state);
    if (!reason) continue;
    const end = endOf(run, state, reason);
    const byTolerance = reason.kind === "gradient" || reason.kind === "rounding";
    if (end.isStationary || !byTolerance || end.before > INFEASIBLE || tighten < TIGHTEST) return end;
    // ‖∇h‖ is below the tolerance, the gradient at the projection above it: the same solver goes on
    tighten *= 0.5;
  }
}

/** ‖g‖ ≤ tighten · (requested tolerance, or roundoff where that is larger) */
function gradientStop(run: Run, s: State, tighten: number): Reason | undefined {
  const [requested, bound] = [requestedNorm(run.tolerance!, s), reachableNorm(run.tolerance!, s)];
  if (s.gnorm <= tighten * requested) return gradientBelow(requested)(s);
  return s.gnorm <= tighten * bound ? roundingBelow(bound, requested)(s) : undefined;
}

/** The start as the only state, for a signal that is aborted already: some solvers do all their work before the first state. */
function* startOnly({ E, X: start, ruler, evaluations }: Run): Solver {
  const X = E.tall(start.rows, start.cols);
  E.copy(X, start);
  const { fval, stationarity, gradient } = ruler.measure(X);
  const state = newState({ X, f: fval, evaluations }, stationarity);
  yield { ...state, gnormMax: gradient };
  return { kind: "aborted", converged: false, text: "aborted before the first step" };
}

function endOf(run: Run, state: State, reason: Reason): End {
  const { x, ruler, project } = run;
  const before = ruler.feasibilityOf(state.X);
  run.comparison?.compareNext();
  if (Number.isFinite(before)) project(state.X);
  const measures = Number.isFinite(before) ? ruler.measureAt(x) : ruler.measure(x.X);
  const isStationary = measures.stationarity <= reachableNorm(run.tolerance!, state);
  return { state, reason, before, measures, isStationary };
}

/** The next state; an exception of the user's f becomes an ObjectiveError with the last good point. */
function nextState({ bound, X, done }: Run, steps: Solver, last: State | undefined): IteratorResult<State, Reason> {
  try {
    return steps.next();
  } catch (cause) {
    // thrown before any evaluation, so that no point is good
    if (cause instanceof MemoryError) throw cause;
    const at = last?.X ?? X;
    const text = cause instanceof Error ? cause.message : String(cause);
    const message = `the run ended after ${done + (last?.k ?? 0)} iterations: ${text}`;
    throw new ObjectiveError(message, plain(bound, at), cause);
  }
}

/** Writes the time into each state, shows it to the observers and keeps its row of the history. */
function observer(run: Run, rowOf?: (s: State) => Row): (s: State) => void {
  const { o, history } = run;
  const countStep = run.E.ranks && stepCounter(run, run.E.ranks);
  const observers = [o.observe, o.events?.iteration, o.events?.stage && stageObserver(o.events.stage)].filter(
    (observe) => !!observe,
  );
  const inView = statesInView(run.bound);
  return (s) => {
    countStep?.(s);
    s.seconds = run.elapsed();
    for (const observe of observers) observe(inView(s));
    if (rowOf) history.push(rowOf(s));
  };
}

/**
 * ‖X‖ far above √p: the iterates run away from the manifold. As X_0 is feasible, ‖X_k‖ ≤ ‖X_0‖ + Σ‖X_i − X_{i−1}‖; ‖X‖ costs a sum over
 * processes, so it is computed only where this bound is large.
 */
function runningAway(E: Engine, { longestStep: scale }: Constraint): Stop {
  const far = 10 * scale;
  let bound = scale;
  return (s) => {
    bound += s.step;
    if (bound <= far) return undefined;
    const norm = Math.sqrt(E.dot(s.X, s.X));
    bound = norm;
    if (norm <= far) return undefined;
    const where = `the iterates run away from the manifold (‖X‖ = ${digits(norm)}, √p = ${digits(scale)})`;
    const text = `${where}; the penalty is unbounded below there: use beta auto`;
    return { kind: "unbounded", converged: false, text };
  };
}
