/** One run of a solver until a rule stops it, and the projection of its end */

import { MemoryError } from "@expen/linalg/memory";
import type { Reason, Solver, State } from "../contracts/method.js";
import { ObjectiveError } from "../contracts/result.js";
import { plain } from "../manifolds/view.js";
import { preconditionInView } from "../objective/in-view.js";
import { startOnly } from "./aborted-start.js";
import type { RunSolver } from "./imports.js";
import { observersOf } from "./observers.js";
import { sharedSignal } from "./processes.js";
import type { End, Run } from "./run.js";
import { any, gradientBelow, iterations, roundingBelow, runningAway } from "./stop.js";
import { aborted, evaluations as calls, seconds } from "./stop-rules.js";
import { reachableNorm, requestedNorm, toleranceAt } from "./tolerance.js";
import { ofUser } from "./user-stop.js";

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
          precondition: precondition && preconditionInView(run.bound, precondition),
          tolerance: o.tol,
          seed: seed + saddles,
          evaluations,
          note: (text) => run.notes.push(text),
          chose: (method) => {
            run.method = method;
          },
        });
  const isObserved = o.observe || o.events || o.history || E.ranks;
  const observers = isObserved ? observersOf(run, isFeasible) : [];
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
    state.seconds = run.elapsed();
    for (const observe of observers) observe(state);
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
