import { eigenSolver } from "../linalg/eigh.js";
import type { Augmented } from "../penalty/augmented.js";
import { stageBeta } from "../penalty/beta.js";
import type { Engine, Solver } from "../types.js";
import type { Method, TrialRay } from "./ray.js";
import { advance, newState } from "./state.js";

export interface AdaptedBetaOptions {
  /** β is chosen anew when the gradient has fallen to this part, */
  drop?: number;
  /** and doubled when ‖XᵀX − I‖ exceeds `strayed` for `patience` steps running */
  strayed?: number;
  patience?: number;
}

/**
 * A method on h = f − ½⟨S, K⟩ + β/4‖K‖² whose β follows the multiplier. Along X·N the field ∇f − XS + βXK has the derivative
 * 2βN − NS − SN, so every β > λmax(S) leads back to the manifold, and what is above it only worsens the condition. From stage to stage
 *
 *     β ← max(0, λmax(S)) + (the scale of `stageBeta`),
 *
 * never above the β of the start, unless the iterates stay away from the manifold and it had to be doubled.
 */
export function* adaptedBeta(
  E: Engine,
  h: Augmented,
  ray: TrialRay,
  method: Method,
  { drop = 0.1, strayed = 0.3, patience = 20 }: AdaptedBetaOptions = {},
): Solver {
  const { p } = h;
  const eigen = eigenSolver(E, p);
  const scale = stageBeta(E, p);
  const V = E.matrix(p, p);
  const w = new Float64Array(p);
  const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
  state.notes = { beta: h.beta };
  let [highest, stage, away] = [h.beta, state.gnorm, 0];
  for (;;) {
    const steps = method(ray);
    for (;;) {
      const next = steps.next();
      if (next.done) return next.value;
      const { k, X, f, gnorm, step } = next.value;
      if (k === 0) {
        if (state.k === 0) yield state;
        continue;
      }
      advance(state, { X, f }, gnorm, step);
      yield state;
      away = h.feasibility > strayed ? away + 1 : 0;
      if (away === patience) {
        away = 0;
        h.beta *= 2;
        highest = Math.max(highest, h.beta);
        break;
      }
      if (gnorm <= drop * stage) {
        eigen(V, w, h.parts.S);
        h.beta = Math.min(highest, Math.max(0, w[p - 1]!) + scale(h.parts.S, gnorm, 0));
        break;
      }
    }
    stage = Math.min(stage, state.gnorm);
    state.notes.beta = h.beta;
    E.fill(ray.D, 0);
    ray.at(0);
    ray.accept();
    state.X = ray.X;
  }
}
