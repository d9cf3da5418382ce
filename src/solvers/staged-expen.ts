import { euclidean } from "../geometry/euclidean.js";
import { polar } from "../linalg/polar.js";
import { stageBeta } from "../penalty/beta.js";
import { expen } from "../penalty/expen.js";
import type { Engine, Evaluations, Matrix, Objective, Reason, Solver } from "../types.js";
import { emptyRay, type Method } from "./ray.js";
import { newState, notFinite } from "./state.js";

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
 * The scratch is made here, once; the function returned starts a run at X0. Holds 9 n×p matrices and those of the method.
 */
export function stagedExpen(
  E: Engine,
  f: Objective,
  makeMethod: (h: Objective) => Method,
  { drop = 0.03, length = 100, strayed = 0.5, evaluations }: StagedOptions = {},
): (X0: Matrix) => Solver {
  const { n, p } = f;
  const h = expen(E, f, 1);
  const method = makeMethod(h);
  const project = polar(E, n, p);
  const betaFor = stageBeta(E, p);
  const G = E.matrix(n, p);
  /** feasible start of the stage, to return to */
  const Xs = E.matrix(n, p);
  const ray = emptyRay(E, h, euclidean(E), evaluations);
  h.shifted = true;
  let [boost, curvature, fStage] = [1, 0, Number.POSITIVE_INFINITY];
  const gradientNorm = (): number => Math.sqrt(E.dot(ray.G, ray.G));
  return run;

  /** Projects the ray's point, shifts h there and makes it the ray's point again; false if f is not lower than at the last stage. */
  function enter(): boolean {
    project(ray.Xt, ray.X);
    const value = f.fg(G, ray.Xt);
    const scale = Math.sqrt(E.dot(G, G));
    if (!(value <= fStage + 1e-13 * (Math.abs(fStage) + scale)) || !Number.isFinite(scale)) return false;
    E.tmul(h.M, ray.Xt, G);
    E.symmetrize(h.M);
    E.copy(ray.Gt, G);
    E.mul(ray.Gt, ray.Xt, h.M, -1, 1);
    ray.ft = value;
    ray.accept();
    E.copy(Xs, ray.X);
    fStage = value;
    return true;
  }

  function* run(X0: Matrix): Solver {
    [boost, curvature, fStage] = [1, 0, Number.POSITIVE_INFINITY];
    E.copy(ray.X, X0);
    const entered = enter();
    const state = newState(ray, gradientNorm());
    state.notes = { beta: 0, stage: 0, feasibility: 0 };
    yield state;
    if (!entered) return notFinite("f or its gradient is not finite at the start");
    let failures = 0;
    for (;;) {
      const start = ray.f === fStage ? state.gnorm : gradientNorm();
      h.beta = boost * betaFor(h.M, start, curvature);
      state.notes.beta = h.beta;
      let [logs, count] = [0, 0];
      let ended: Reason | undefined;
      const steps = method(ray);
      for (;;) {
        const next = steps.next();
        if (next.done) {
          ended = next.value;
          break;
        }
        const s = next.value;
        if (s.k === 0) continue;
        // ⟨d, ∇²h d⟩/⟨d, d⟩ along the accepted step
        const quotient = ((ray.slopeT - ray.slope0) * ray.t) / (s.step * s.step);
        if (quotient > 0) {
          logs += Math.log(quotient);
          count++;
        }
        state.k++;
        state.X = s.X;
        state.f = s.f;
        state.decrease = s.decrease;
        state.gnorm = s.gnorm;
        state.gnormMax = Math.max(state.gnormMax, s.gnorm);
        state.step = s.step;
        state.notes.feasibility = h.feasibility;
        yield state;
        if (s.gnorm <= drop * start || s.k >= length || h.feasibility > strayed) break;
      }
      if (ended?.kind === "not-finite" || ended?.kind === "rounding") return ended;
      if (count > 0) curvature = Math.exp(logs / count);
      if (enter()) {
        if (ended) failures++;
        else failures = 0;
        boost = Math.max(1, boost / 2);
      } else {
        E.copy(ray.X, Xs);
        boost *= 4;
        failures++;
        fStage = Number.POSITIVE_INFINITY;
        if (!enter()) return notFinite("f or its gradient is not finite any more at a point where it was");
      }
      state.X = ray.X;
      state.f = ray.f;
      state.gnorm = gradientNorm();
      state.notes.stage!++;
      if (failures > 2 && ended) return roundingOr(ended);
      if (boost > 1e12)
        return { kind: "diverged", converged: false, text: "no β keeps the iterates near the manifold" };
    }

    /** A search that fails again and again at a gradient far below the largest has met the rounding floor. */
    function roundingOr(ended: Reason): Reason {
      if (!(state.gnorm <= 1e-7 * state.gnormMax)) return ended;
      return {
        kind: "rounding",
        converged: true,
        text: `rounding floor: the gradient norm ${state.gnorm.toPrecision(3)} (${(state.gnorm / state.gnormMax).toPrecision(1)} of the largest) cannot be reduced further`,
      };
    }
  }
}
