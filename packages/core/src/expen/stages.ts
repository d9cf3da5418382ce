import type { Engine, Tall } from "@expen/linalg";
import { amount, chosenOptions, constraint, digits, object, type SchemaOf } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Reason, Solver, State } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { Method } from "../contracts/ray.js";
import { euclidean } from "../manifolds/euclidean-geometry.js";
import { multiplierSpread } from "../manifolds/multiplier-spread.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { advance, newState, notFinite } from "../methods/state.js";
import { trialRay } from "../methods/trial-ray.js";
import { stageBeta } from "./beta.js";
import { type ShiftedExPen, shiftedExpen } from "./shift.js";

export interface StagedOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  /** a stage ends when the gradient has fallen to this part, */
  drop?: number;
  /** after so many steps, */
  length?: number;
  /** or when ‖XᵀX − I‖ exceeds this */
  strayed?: number;
  evaluations?: Evaluations;
}

const SCHEMA: SchemaOf<StagedOptions> = {
  on: constraint,
  drop: amount,
  length: amount,
  strayed: amount,
  evaluations: object,
};

/**
 * ExPen with a β that adapts. In each stage
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
  makeMethod: (h: ShiftedExPen) => Method,
  options: StagedOptions = {},
): (X0: Tall) => Solver {
  const {
    on = stiefelConstraint(E, f.n, f.p),
    drop = 0.03,
    length = 100,
    strayed = 0.5,
    evaluations,
  } = chosenOptions("stagedExpen", options, SCHEMA);
  const { n, p } = f;
  const h = shiftedExpen(E, f, 1, on);
  const method = makeMethod(h);
  const betaFor = stageBeta(p, E, multiplierSpread(E, on));
  const G = E.tall(n, p);
  /** feasible start of the stage, to return to */
  const Xs = E.tall(n, p);
  const projected = on.point();
  const ray = trialRay(E, h, euclidean(E), undefined, evaluations);

  return function* (X0): Solver {
    /** factor on β, curvature seen in the last stage, f at the start of this one, stages in a row that failed */
    let [boost, curvature, fStart, failures] = [1, 0, Number.POSITIVE_INFINITY, 0];
    E.copy(ray.X, X0);
    const entered = enter();
    const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
    const notes = { beta: 0, stage: 0, feasibility: 0 };
    state.notes = notes;
    yield state;
    if (!entered) return notFinite("f or its gradient is not finite at the start");
    for (;;) {
      const ended = yield* stage();
      if (ended?.kind === "not-finite" || ended?.kind === "rounding") return ended;
      if (enter()) {
        failures = ended ? failures + 1 : 0;
        boost = Math.max(1, boost / 2);
      } else {
        E.copy(ray.X, Xs);
        boost *= 4;
        failures++;
        fStart = Number.POSITIVE_INFINITY;
        if (!enter()) return notFinite("f or its gradient is not finite any more at a point where it was");
      }
      state.X = ray.X;
      state.f = ray.f;
      state.gnorm = Math.sqrt(E.dot(ray.G, ray.G));
      notes.stage++;
      if (failures > 2 && ended) return roundingOr(ended, state);
      if (boost > 1e12) {
        return { kind: "diverged", converged: false, text: "no β keeps the iterates near the manifold" };
      }
    }

    /** The steps of one stage; why the method ended it, or nothing where the stage did. */
    function* stage(): Generator<State, Reason | undefined, void> {
      const first = state.gnorm;
      h.beta = boost * betaFor(h.M, first, curvature);
      notes.beta = h.beta;
      const steps = method(ray);
      // the first state is the start
      steps.next();
      /** of the curvatures along the steps the sum of logarithms, and how many */
      let [logs, count] = [0, 0];
      for (;;) {
        const next = steps.next();
        if (next.done) return next.value;
        const s = next.value;
        // ⟨d, ∇²h d⟩/⟨d, d⟩ along the accepted step
        const quotient = ((ray.slopeT - ray.slope0) * ray.t) / (s.step * s.step);
        if (quotient > 0) {
          logs += Math.log(quotient);
          count++;
          curvature = Math.exp(logs / count);
        }
        advance(state, s, s.gnorm, s.step);
        state.decrease = s.decrease;
        notes.feasibility = h.feasibility;
        yield state;
        if (s.gnorm <= drop * first || s.k >= length || h.feasibility > strayed) return undefined;
      }
    }

    /** Projects the ray's point, shifts h there and makes it the ray's point again; false if f is not lower than at the last stage. */
    function enter(): boolean {
      on.project(projected, ray.X);
      E.copy(ray.Xt, projected.X);
      ray.ft = f.fg(G, ray.Xt);
      const scale = Math.sqrt(E.dot(G, G));
      if (!(ray.ft <= fStart + 1e-13 * (Math.abs(fStart) + scale)) || !Number.isFinite(scale)) return false;
      on.dissolver.S(h.M, projected, G);
      E.copy(ray.Gt, G);
      on.dissolver.normal(ray.Gt, projected, h.M, -1);
      ray.accept();
      E.copy(Xs, ray.X);
      fStart = ray.f;
      return true;
    }
  };
}

/** A search that fails again and again at a gradient far below the largest stands at the rounding floor. */
function roundingOr(ended: Reason, { gnorm, gnormMax }: State): Reason {
  if (!(gnorm <= 1e-7 * gnormMax)) return ended;
  return {
    kind: "rounding",
    converged: true,
    text: `rounding floor: the gradient norm ${digits(gnorm)} (${digits(gnorm / gnormMax, 1)} of the largest) cannot be reduced further`,
  };
}
