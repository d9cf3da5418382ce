import type { Solver } from "@expen/core";
import { multiplierSpread } from "@expen/core";
import { stageBeta } from "@expen/core/expen";
import type { Method, TrialRay } from "@expen/core/methods";
import { advance, newState } from "@expen/core/methods";
import type { Engine } from "@expen/linalg";
import type { Augmented } from "../augmented.js";

export interface AdaptedBetaOptions {
  /** a stage ends, and β is computed again, when the norm of the field has fallen by this factor, */
  drop?: number;
  /** or at every multiple of so many steps where β < λmax(S) */
  length?: number;
  /** factor of the scale of `stageBeta`; doubled after each projection */
  share?: number;
  /** after `patience` successive steps with ‖XᵀX − I‖ > `tube`, X is projected and β increased */
  tube?: number;
  patience?: number;
}

/**
 * A method on h = f − ½⟨S, K⟩ + β/4‖K‖² with a β that follows the multiplier. Along X·N, N symmetric, the derivative of the field
 * ∇f − XS + βXK is X(2βN − NS − SN), so the manifold attracts for every β > λmax(S), and a larger β worsens the condition number:
 *
 *     β ← max(0, λmax(S)) + share·(the scale of `stageBeta`) at the end of each stage.
 */
export function* adaptedBeta(
  E: Engine,
  h: Augmented,
  ray: TrialRay,
  method: Method,
  { drop = 0.1, length = 50, share = 0.3, tube = 0.3, patience = 20 }: AdaptedBetaOptions = {},
): Solver {
  const { p } = h;
  const { on, S } = h.parts;
  const scale = stageBeta(p, E, multiplierSpread(E, on));
  const projected = on.point();
  const V = E.small(p, p);
  const w = new Float64Array(p);
  const highest = (): number => {
    E.factor.eigh(V, w, S);
    return w.reduce((a, b) => Math.max(a, b));
  };
  const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
  let [gnormOfStage, stepsOfStage, stepsOutside, logs] = [state.gnorm, 0, 0, 0];
  // K = 0 at the start, where the field does not depend on β
  if (Number.isFinite(state.f + state.gnorm)) h.beta = Math.max(h.beta, highest());
  state.notes = { beta: h.beta };

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
      logs -= Math.log(ray.t);
      yield state;
      stepsOutside = h.feasibility > tube ? stepsOutside + 1 : 0;
      stepsOfStage++;
      if (stepsOutside >= patience || gnorm <= drop * gnormOfStage) break;
      if (stepsOfStage % length === 0 && h.beta < highest()) break;
    }
    gnormOfStage = Math.min(gnormOfStage, state.gnorm);
    if (stepsOutside >= patience) {
      share *= 2;
      gnormOfStage = Number.POSITIVE_INFINITY;
      on.project(projected, ray.X);
      E.copy(ray.X, projected.X);
    }
    // the geometric mean of 1/η, as Barzilai–Borwein steps are inverse curvatures
    const curvature = Math.exp(logs / stepsOfStage);
    h.beta = Math.max(0, highest()) + share * scale(S, state.gnorm, curvature);
    [stepsOfStage, stepsOutside, logs] = [0, 0, 0];
    state.notes.beta = h.beta;
    ray.restartAt(ray.X);
    state.X = ray.X;
  }
}
