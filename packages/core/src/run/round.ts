import type { Engine, Ranks } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { MemoryError } from "@expen/linalg/memory";
import type { Measures } from "../certify/measure.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Reason, Solver, State, Stop } from "../contracts/objective.js";
import { ObjectiveError } from "../contracts/result.js";
import { newState } from "../methods/state.js";
import { type Run, toleranceAt } from "./context.js";
import { stageObserver } from "./events.js";
import { aborted, any, evaluations as calls, gradientBelow, iterations, roundingBelow, seconds } from "./stop.js";
import { askedOf, boundOf } from "./tolerance.js";
import { inView, plain, seen } from "./views.js";

/** Iterations after which a run is given up. */
const MAX_ITERATIONS = 10_000;
/** Before projection an honest minimiser of h is feasible to about ‖∇h‖/β; this is far from it. */
export const INFEASIBLE = 1e-2;
/** How far the solver's own tolerance is lowered where the projection of its point does not meet the one asked for. */
const TIGHTEST = 1e-3;

/** Where a round ended and why, and what its projection, now in `run.X`, is like. */
export interface End {
  readonly state: State;
  readonly reason: Reason;
  /** ‖XᵀX − I‖ before the projection */
  readonly before: number;
  readonly measures: Measures;
  /** the projection is stationary to the tolerance */
  readonly met: boolean;
}

/** One run of a solver from `run.X` until it stops. `toFloor`: it goes on below the tolerance until it ends by itself. */
export function* round(run: Run, name: string, toFloor = false): Generator<State, End, void> {
  const { E, on, F, o, X, seed, saddles, evaluations, parts } = run;
  const { precondition } = o;
  const signal = o.signal && (E.ranks ? together(E.ranks, o.signal) : o.signal);
  // over processes a look at the signal takes a message, and the first state has one
  const steps =
    !E.ranks && o.signal?.aborted
      ? startAlone(run)
      : parts.solvers[name]!.create(E, F, X, {
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
  const see = observer(run);
  let tighten = 1;
  const stop = any(
    (s) => (toFloor ? undefined : reached(run, s, tighten)),
    ...(signal ? [aborted(signal)] : []),
    iterations(o.maxIterations ?? MAX_ITERATIONS, run.done),
    ...(o.maxEvaluations !== undefined ? [calls(o.maxEvaluations)] : []),
    ...(o.maxSeconds !== undefined ? [seconds(o.maxSeconds)] : []),
    farAway(E, on),
    ...(o.stop ? [o.stop] : []),
  );
  for (let state: State | undefined; ; ) {
    const next = take(run, steps, state);
    if (next.done) {
      if (!state) throw new Error(`the solver ended before its first state: ${next.value.text}`);
      return ended(run, state, next.value);
    }
    state = next.value;
    F.forget();
    see(state);
    yield state;
    run.tolerance ??= toleranceAt(run, state);
    const reason = stop(state);
    if (!reason) continue;
    const end = ended(run, state, reason);
    const byTolerance = reason.kind === "gradient" || reason.kind === "rounding";
    if (end.met || !byTolerance || end.before > INFEASIBLE || tighten < TIGHTEST) return end;
    // ‖∇h‖ met the tolerance but the projection does not quite: the same solver goes on
    tighten *= 0.5;
  }
}

/** ‖g‖ ≤ `tighten` of the tolerance that was asked for, or of what rounding leaves where that is more */
function reached(run: Run, s: State, tighten: number): Reason | undefined {
  const [asked, bound] = [askedOf(run.tolerance!, s), boundOf(run.tolerance!, s)];
  if (s.gnorm <= tighten * asked) return gradientBelow(asked)(s);
  return s.gnorm <= tighten * bound ? roundingBelow(bound, asked)(s) : undefined;
}

/** The start as the only state, where a signal came before: some solvers do all their work before the first. */
function* startAlone({ E, X: start, ruler, evaluations }: Run): Solver {
  const X = E.tall(start.rows, start.cols);
  E.copy(X, start);
  const { fval, stationarity, gradient } = ruler.measure(X);
  const state = newState({ X, f: fval, evaluations }, stationarity);
  yield { ...state, gnormMax: gradient };
  return { kind: "aborted", converged: false, text: "aborted before the first step" };
}

function ended(run: Run, state: State, reason: Reason): End {
  const { x, ruler, project } = run;
  const before = ruler.feasibilityOf(state.X);
  if (Number.isFinite(before)) project(state.X);
  const measures = Number.isFinite(before) ? ruler.measureAt(x) : ruler.measure(x.X);
  return { state, reason, before, measures, met: measures.stationarity <= boundOf(run.tolerance!, state) };
}

/** The next state; an exception of the user's f carries the last good point with it. */
function take({ bound, X, done }: Run, steps: Solver, last: State | undefined): IteratorResult<State, Reason> {
  try {
    return steps.next();
  } catch (cause) {
    // nothing has been evaluated: there is no last good point to speak of
    if (cause instanceof MemoryError) throw cause;
    const at = last?.X ?? X;
    const text = cause instanceof Error ? cause.message : String(cause);
    const message = `the run ended after ${done + (last?.k ?? 0)} iterations: ${text}`;
    throw new ObjectiveError(message, plain(bound, at), cause);
  }
}

/** A signal that came to one process is one for all. */
const together = (ranks: Ranks, signal: AbortSignal): Pick<AbortSignal, "aborted"> => ({
  get aborted() {
    return ranks.any(signal.aborted);
  },
});

/** Tells the time, the observers and the history of each state. */
function observer(run: Run): (s: State) => void {
  const { o, history, evaluations } = run;
  const counting = stepCounter(run);
  const observers = [o.observe, o.events?.iteration, o.events?.stage && stageObserver(o.events.stage)].filter(
    (see) => !!see,
  );
  const shown = seen(run.bound);
  return (s) => {
    counting(s);
    s.seconds = run.elapsed();
    for (const see of observers) see(shown(s));
    if (!o.history) return;
    const { k, f, gnorm, step, seconds } = s;
    history.push({ k: run.done + k, f, gnorm, step, seconds, evaluations: evaluations.f });
  };
}

/** Adds up what lies between two states: the evaluations of a step and its sums over processes */
function stepCounter({ E, stepping, evaluations }: Run): (s: State) => void {
  const { ranks } = E;
  if (!ranks) return () => undefined;
  const now = () => ({ reductions: ranks.traffic.reductions, evaluations: evaluations.f + evaluations.hvp });
  let before = now();
  return ({ k }) => {
    const after = now();
    if (k > 0) {
      stepping.reductions += after.reductions - before.reductions;
      stepping.evaluations += after.evaluations - before.evaluations;
    }
    before = after;
  };
}

/**
 * ‖X‖ far above √p: the iterates run away from the manifold. They begin on it, so that ‖X_k‖ ≤ ‖X_0‖ + Σ‖X_i − X_{i−1}‖: looked at only
 * where this bound is far, as it takes a sum over processes.
 */
function farAway(E: Engine, { longestStep: scale }: Constraint): Stop {
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
