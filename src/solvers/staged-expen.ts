import { euclidean } from "../geometry/euclidean.js";
import { polar } from "../linalg/polar.js";
import { digits } from "../numbers.js";
import { evaluator } from "../objective.js";
import { stageBeta } from "../penalty/beta.js";
import { expen } from "../penalty/expen.js";
import type { Engine, Evaluations, Matrix, Objective, Reason, Solver, State } from "../types.js";
import { emptyRay, type Method } from "./ray.js";
import { newState, notFinite, restarted } from "./state.js";
import { stepwise } from "./stepwise.js";

export interface StagedOptions {
  /** a stage ends when the gradient has fallen to this part, */
  drop?: number;
  /** after so many steps, */
  length?: number;
  /** or when ‖XᵀX − I‖ exceeds this */
  strayed?: number;
  evaluations?: Evaluations;
}

/**
 * ExPen with a β that adapts: the default of the project. In each stage
 *
 *     X ← polar(X),   M ← sym(Xᵀ∇f(X)),   β from `stageBeta`,   then steps of `method` on h(·; β, M) from X.
 *
 * With M equal to the multiplier every β > 0 is above the threshold 1.5·λmax(S − M) = 0 of Theorem 3.6, so β need not dominate the
 * conditioning, and adding c/2·‖X‖² to f changes nothing. A stage that strays from the manifold, or whose projected end is not below its
 * start, is taken back and repeated with a larger β: f decreases from stage to stage at feasible points. (docs/penalty.md)
 *
 * The scratch is made here, once; the function returned starts a run at X0, one at a time. Holds 9 n×p matrices and those of the method.
 */
export function stagedExpen(
  E: Engine,
  f: Objective,
  makeMethod: (h: Objective) => Method,
  { drop = 0.03, length = 100, strayed = 0.5, evaluations }: StagedOptions = {},
): (X0: Matrix) => Solver {
  const { n, p } = f;
  const evaluate = evaluator(f);
  const h = expen(E, f, 1);
  const method = makeMethod(h);
  const project = polar(E, n, p);
  const betaFor = stageBeta(p);
  const G = E.matrix(n, p);
  /** feasible start of the stage, to return to */
  const Xs = E.matrix(n, p);
  const ray = emptyRay(E, h, euclidean(E), evaluations);
  h.shifted = true;
  // numbers that change are in fields: in a variable of a closure each change makes an object
  /** factor on β, curvature met in the last stage, f at the start of this one */
  const run = { boost: 1, curvature: 0, f: 0 };
  /** ‖g‖ at the start of the stage; of the curvatures along its steps the sum of logarithms and how many */
  const stage = { gnorm: 0, logs: 0, count: 0 };
  let failures = 0;
  let entered = false;
  const notes = { beta: 0, stage: 0, feasibility: 0 };
  const state = newState(ray, Number.NaN);
  state.notes = notes;
  let start: Matrix;
  /** the steps of the stage, and their state */
  let [steps, inner]: [Solver?, State?] = [];
  const all = stepwise(begin, step);
  return (X0) => {
    start = X0;
    all.restart();
    return all;
  };

  function begin(): State {
    run.boost = 1;
    run.curvature = 0;
    run.f = Number.POSITIVE_INFINITY;
    failures = 0;
    E.copy(ray.X, start);
    entered = enter();
    state.gnorm = Math.sqrt(E.inner(ray.G, ray.G).value);
    restarted(state, ray);
    notes.beta = notes.stage = notes.feasibility = 0;
    return state;
  }

  function step(): Reason | undefined {
    if (!entered) return notFinite("f or its gradient is not finite at the start");
    if (state.k === 0) startStage();
    else if (inner!.gnorm <= drop * stage.gnorm || inner!.k >= length || h.feasibility > strayed) {
      const reason = nextStage();
      if (reason) return reason;
    }
    for (;;) {
      const next = steps!.next();
      if (!next.done) {
        inner = next.value;
        follow(inner);
        return undefined;
      }
      const reason = nextStage(next.value);
      if (reason) return reason;
    }
  }

  function startStage(): void {
    stage.gnorm = ray.f === run.f ? state.gnorm : Math.sqrt(E.inner(ray.G, ray.G).value);
    stage.logs = stage.count = 0;
    h.beta = run.boost * betaFor(h.M, stage.gnorm, run.curvature);
    notes.beta = h.beta;
    steps = method(ray);
    // the first state is the start
    steps.next();
  }

  /** One accepted step more */
  function follow(s: State): void {
    // ⟨d, ∇²h d⟩/⟨d, d⟩ along the accepted step
    const quotient = ((ray.slopeT - ray.slope0) * ray.t) / (s.step * s.step);
    if (quotient > 0) {
      stage.logs += Math.log(quotient);
      stage.count++;
    }
    state.k++;
    state.X = s.X;
    state.f = s.f;
    state.decrease = s.decrease;
    state.gnorm = s.gnorm;
    state.gnormMax = Math.max(state.gnormMax, s.gnorm);
    state.step = s.step;
    notes.feasibility = h.feasibility;
  }

  /** From the end of a stage, whose steps may have `ended` by themselves, to the start of the next, or why there is none */
  function nextStage(ended?: Reason): Reason | undefined {
    if (ended?.kind === "not-finite" || ended?.kind === "rounding") return ended;
    if (stage.count > 0) run.curvature = Math.exp(stage.logs / stage.count);
    if (enter()) {
      if (ended) failures++;
      else failures = 0;
      run.boost = Math.max(1, run.boost / 2);
    } else {
      E.copy(ray.X, Xs);
      run.boost *= 4;
      failures++;
      run.f = Number.POSITIVE_INFINITY;
      if (!enter()) return notFinite("f or its gradient is not finite any more at a point where it was");
    }
    state.X = ray.X;
    state.f = ray.f;
    state.gnorm = Math.sqrt(E.inner(ray.G, ray.G).value);
    notes.stage++;
    if (failures > 2 && ended) return roundingOr(ended, state);
    if (run.boost > 1e12)
      return { kind: "diverged", converged: false, text: "no β keeps the iterates near the manifold" };
    startStage();
    return undefined;
  }

  /** Projects the ray's point, shifts h there and makes it the ray's point again; false if f is not lower than at the last stage. */
  function enter(): boolean {
    project(ray.Xt, ray.X);
    ray.ft = evaluate(G, ray.Xt).value;
    const scale = Math.sqrt(E.inner(G, G).value);
    if (!(ray.ft <= run.f + 1e-13 * (Math.abs(run.f) + scale)) || !Number.isFinite(scale)) return false;
    E.tmul(h.M, ray.Xt, G);
    E.symmetrize(h.M);
    E.copy(ray.Gt, G);
    E.mul(ray.Gt, ray.Xt, h.M, -1, 1);
    ray.accept();
    E.copy(Xs, ray.X);
    run.f = ray.f;
    return true;
  }
}

/** A search that fails again and again at a gradient far below the largest has met the rounding floor. */
function roundingOr(ended: Reason, { gnorm, gnormMax }: State): Reason {
  if (!(gnorm <= 1e-7 * gnormMax)) return ended;
  return {
    kind: "rounding",
    converged: true,
    text: `rounding floor: the gradient norm ${digits(gnorm)} (${digits(gnorm / gnormMax, 1)} of the largest) cannot be reduced further`,
  };
}
