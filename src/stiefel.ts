import { type CertifyOptions, certify } from "./certify.js";
import { requireGradient } from "./check/before-run.js";
import { requireForms } from "./check/forms.js";
import { diagnose } from "./diagnose.js";
import { openEngine } from "./engines/open.js";
import { stageObserver } from "./events.js";
import { polar } from "./linalg/polar.js";
import { measurer } from "./measure.js";
import { digits } from "./numbers.js";
import { counted, noEvaluations, objective, type UserObjective } from "./objective.js";
import { checkOptions, type MinimizeOptions, type StiefelOptions } from "./options.js";
import { sparsityPattern } from "./penalty/proximal.js";
import { ObjectiveError, type Result, type Row } from "./result.js";
import { solvers } from "./solvers/catalog.js";
import { givenStart, randomStart } from "./start.js";
import { aborted, any, seconds } from "./stop.js";
import type { Engine, Matrix, Objective, Reason, Solver, State, Stop } from "./types.js";

/** Iterations after which a run is given up. */
const MAX_ITERATIONS = 10_000;
const DEFAULT_TOL = 1e-6;
/** Before projection an honest minimiser of h is feasible to about ‖∇h‖/β; this is far from it. */
const INFEASIBLE = 1e-2;
const MAX_SADDLES = 5;

/** Where a run ended and why. */
interface End {
  state: State;
  reason: Reason;
}

/**
 * f → solver → projection → certificate, as a generator of states: step it, or drain it with `minimizeStiefel`.
 * A point is called converged only if its projection is stationary; where the certificate shows a saddle, the run goes on below it.
 */
export function* solveStiefel(E: Engine, f: Objective, o: StiefelOptions = {}): Generator<State, Result, void> {
  const { n, p } = f;
  const {
    solver: name = "expen",
    seed = 1,
    maxIterations = MAX_ITERATIONS,
    optimum,
    certificate: depth = "second-order",
  } = o;
  checkOptions(n, p, o);
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  const notes: string[] = [];
  const history: Row[] = [];
  const evaluations = noEvaluations();
  const F = counted(f, evaluations);
  const ruler = measurer(E, f, o.nonsmooth);
  const { measure, feasibilityOf } = ruler;
  const project = polar(E, n, p);
  /** where a round starts, and where its end is projected to */
  const X = startOf(E, n, p, o, notes);
  const observers = [o.observe, o.on?.iteration, o.on?.stage && stageObserver(o.on.stage)].filter((see) => !!see);

  let tighten = 1;
  let finishing = false;
  /** what rounding leaves of a gradient that is zero */
  const noise = 4 * 2 ** -52 * measure(X).gradient;
  const tolerance = (s: State): number => Math.max(o.tol ?? DEFAULT_TOL * Math.min(1, s.gnormMax), noise);
  const reached = (s: State): Reason => ({
    kind: "gradient",
    converged: true,
    text: `gradient norm ${digits(s.gnorm)} ≤ ${digits(tolerance(s))}`,
  });
  const limit = (s: State): Reason => ({
    kind: "iterations",
    converged: false,
    text: `stopped after ${done + s.k} iterations, gradient norm ${digits(s.gnorm)}`,
  });
  const stop = any(
    (s) => (!finishing && s.gnorm <= tighten * tolerance(s) ? reached(s) : undefined),
    ...(o.signal ? [aborted(o.signal)] : []),
    (s) => (done + s.k >= maxIterations ? limit(s) : undefined),
    ...(o.maxSeconds !== undefined ? [seconds(o.maxSeconds)] : []),
    farAway(E, p),
    ...(o.stop ? [o.stop] : []),
  );

  /** iterations of the rounds before this one */
  let done = 0;
  let saddles = 0;
  let steps = startRound();
  let last: State | undefined;
  let end: End;
  let outcome: ReturnType<typeof certify>;
  let before = 0;

  const first = take();
  if (first.done) throw new Error(`solveStiefel: the solver ended before its first state: ${first.value.text}`);
  // iterations count on from round to round
  for (let state = first.value; ; ) {
    see(state);
    yield state;
    let reason = stop(state);
    for (;;) {
      if (!reason) {
        const next = take();
        if (!next.done) {
          state = next.value;
          break;
        }
        reason = next.value;
      }
      const result = conclude({ state, reason });
      if (result) return result;
      reason = undefined;
    }
  }

  /** A run of the solver from X */
  function startRound(): Solver {
    return solvers[finishing ? "expen-newton" : name].create(E, F, X, {
      ...(finishing ? o.precondition && { precondition: o.precondition } : o),
      ...(o.tol !== undefined && { tolerance: o.tol }),
      seed: seed + saddles,
      evaluations,
    });
  }

  /** The next state; an exception of the user's f carries the last good point with it. */
  function take(): IteratorResult<State, Reason> {
    try {
      return steps.next();
    } catch (cause) {
      const { rows, cols, data } = last?.X ?? X;
      const text = cause instanceof Error ? cause.message : String(cause);
      throw new ObjectiveError(
        `the run ended after ${done + (last?.k ?? 0)} iterations: ${text}`,
        { rows, cols, data: data.slice() },
        cause,
      );
    }
  }

  function see(state: State): void {
    last = state;
    state.seconds = (performance.now() - began) / 1000;
    for (const observe of observers) observe(state);
    if (o.history) record(state);
  }

  function record({ k, f, gnorm, step, seconds }: State): void {
    history.push({ k: done + k, f, gnorm, step, seconds, evaluations: evaluations.f });
  }

  /** What to say of the point where the solver stopped: the result, or nothing where the run goes on. */
  function conclude(stopped: End): Result | undefined {
    end = stopped;
    const { state, reason } = end;
    before = feasibilityOf(state.X);
    if (Number.isFinite(before)) project(X, state.X);
    const measures = measure(X);
    const met = measures.stationarity <= tolerance(state);
    if (!met && reason.kind === "gradient" && !(before > INFEASIBLE) && tighten >= 1e-3) {
      // ‖∇h‖ met the tolerance but the projection does not quite: the same run goes on
      tighten *= 0.5;
      return undefined;
    }
    done += state.k;
    const runSeconds = elapsed();
    if (o.finish === "newton" && reason.kind === "gradient" && before <= INFEASIBLE) {
      finishing = true;
      steps = startRound();
      return undefined;
    }
    outcome = certify(E, f, X, { ...certifyOptions(end), measures });
    const { escape: descent } = outcome;
    if (!descent || !reason.converged || saddles >= MAX_SADDLES || !leave(descent)) {
      const result = finish(runSeconds);
      o.on?.end?.(result);
      return result;
    }
    o.on?.saddle?.({
      fval: outcome.measures.fval,
      curvature: outcome.certificate.curvature!.lowest,
      iterations: done,
    });
    notes.push(`left a saddle at f = ${digits(outcome.measures.fval, 9)} along a direction of negative curvature`);
    saddles++;
    tighten = 1;
    finishing = false;
    steps = startRound();
    return undefined;
  }

  /** X ← a point below the saddle, found by shrinking steps both ways along the escape direction; false if there is none. */
  function leave(descent: (V: Matrix) => void): boolean {
    const [V, Z, saddle] = [E.matrix(n, p), E.matrix(n, p), E.from(X)];
    descent(V);
    for (let t = 0.5; t > 1e-4; t /= 2) {
      for (const sign of [1, -1]) {
        E.combine(Z, 1, saddle, sign * t, V);
        project(X, Z);
        if (F.f(X) < outcome.measures.fval) return true;
      }
    }
    E.copy(X, saddle);
    return false;
  }

  function certifyOptions({ state, reason }: End): CertifyOptions {
    const beta = state.notes?.plainBeta;
    return {
      // at the rounding floor the projected point may stand a little above it
      tolerance: reason.kind === "rounding" ? Math.max(tolerance(state), 10 * state.gnorm) : tolerance(state),
      optimum,
      secondOrder: depth === "second-order" && reason.converged,
      seed,
      nonsmooth: o.nonsmooth,
      measurer: ruler,
      ...(beta !== undefined && { beta, penaltyGradient: state.gnorm }),
    };
  }

  function finish(runSeconds: number): Result {
    const { state } = end;
    if (n === p && n > 1) {
      notes.push(
        "for n = p the orthogonal matrices fall into two parts, det X = 1 and det X = −1; negate a column of the start to search the other part",
      );
    }
    const reason = diagnose(E, f, end, { before, outcome, infeasible: INFEASIBLE });
    const { fval, stationarity, feasibility } = outcome.measures;
    return {
      n,
      p,
      seed,
      solver: name,
      engine: E.name,
      beta: state.notes?.plainBeta ?? state.notes?.beta ?? null,
      status: reason.converged ? "converged" : reason.kind,
      reason,
      fval,
      stationarity,
      feasibility,
      feasibilityBeforeProjection: before,
      iterations: done,
      evaluations: { ...evaluations },
      seconds: runSeconds,
      optimum: optimum ?? null,
      gap: optimum === undefined ? null : fval - optimum,
      certificate: outcome.certificate,
      notes,
      ...(o.history && { history }),
      ...(o.nonsmooth && { sparsity: sparsityPattern(state.X) }),
      X: { rows: n, cols: p, data: X.data.slice() },
    };
  }
}

/** ‖X‖ far above √p: the iterates run away from the manifold. Looked at after large steps and now and then. */
function farAway(E: Engine, p: number): Stop {
  const scale = Math.sqrt(p);
  function look(s: State): Reason | undefined {
    const norm = Math.sqrt(E.dot(s.X, s.X));
    if (norm <= 10 * scale) return undefined;
    return {
      kind: "unbounded",
      converged: false,
      text: `the iterates run away from the manifold (‖X‖ = ${digits(norm)}, √p = ${digits(scale)}); the penalty is unbounded below there: use beta auto`,
    };
  }
  return (s) => (s.k % 20 === 0 || s.step >= scale ? look(s) : undefined);
}

/** The given point made feasible, or a seeded random one. */
function startOf(E: Engine, n: number, p: number, { start, seed = 1 }: StiefelOptions, notes: string[]): Matrix {
  return start ? givenStart(E, start, n, p, notes) : randomStart(E, n, p, seed);
}

/**
 * Minimises f over n×p matrices with orthonormal columns. `f` is {tape} for automatic derivatives, {f, grad} or {fg}, with hvp where
 * you have it, or a function of the engine that makes such an object. A gradient that does not belong to f is a `GradientError`, a declared form that does not a `FormError`. Lets the event loop run every few milliseconds, so that a signal can stop it.
 */
export async function minimizeStiefel(
  f: UserObjective | ((E: Engine) => UserObjective),
  { n, p, engine, check = true, ...options }: MinimizeOptions,
): Promise<Result> {
  const E = engine ?? (await openEngine("auto"));
  checkOptions(n, p, options);
  const given = typeof f === "function" ? f(E) : f;
  const complete = objective(E, given, n, p);
  if (check && (!given.tape || given.quadratic)) {
    const X = startOf(E, n, p, options, []);
    if (!given.tape) requireGradient(E, complete, X, options.seed ?? 1);
    if (given.quadratic) requireForms(E, complete, X);
  }
  return drain(solveStiefel(E, complete, options));
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
