import type { Solver } from "@expen/core";
import { multiplierSpread } from "@expen/core";
import { stageBeta } from "@expen/core/expen";
import type { Method, TrialRay } from "@expen/core/methods";
import { advance, newState } from "@expen/core/methods";
import type { Engine } from "@expen/linalg";
import type { Augmented } from "../augmented.js";

export interface AdaptedBetaOptions {
  /** β is chosen anew when the gradient has fallen to this part, */
  drop?: number;
  /** and looked at after so many steps: it must be above λmax(S) */
  length?: number;
  /** of the scale of `stageBeta`, the part with which the run begins; doubled where X strays */
  share?: number;
  /** ‖XᵀX − I‖ above `strayed` for `patience` steps running is answered by a projection and a larger β */
  strayed?: number;
  patience?: number;
}

/**
 * A method on h = f − ½⟨S, K⟩ + β/4‖K‖² whose β follows the multiplier. Along X·N the field ∇f − XS + βXK has the derivative
 * 2βN − NS − SN, so every β > λmax(S) leads back to the manifold, and what is above it only worsens the condition:
 *
 *     β ← max(0, λmax(S)) + share·(the scale of `stageBeta`) from stage to stage.
 */
export function* adaptedBeta(
  E: Engine,
  h: Augmented,
  ray: TrialRay,
  method: Method,
  { drop = 0.1, length = 50, share = 0.3, strayed = 0.3, patience = 20 }: AdaptedBetaOptions = {},
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
  let [stage, since, away, logs] = [state.gnorm, 0, 0, 0];
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
      away = h.feasibility > strayed ? away + 1 : 0;
      since++;
      if (away >= patience || gnorm <= drop * stage) break;
      if (since % length === 0 && h.beta < highest()) break;
    }
    stage = Math.min(stage, state.gnorm);
    if (away >= patience) {
      share *= 2;
      stage = Number.POSITIVE_INFINITY;
      on.project(projected, ray.X);
      E.copy(ray.X, projected.X);
    }
    // the mean of 1/η, Barzilai–Borwein steps being inverse curvatures
    const curvature = Math.exp(logs / since);
    h.beta = Math.max(0, highest()) + share * scale(S, state.gnorm, curvature);
    [since, away, logs] = [0, 0, 0];
    state.notes.beta = h.beta;
    ray.restartAt(ray.X);
    state.X = ray.X;
  }
}
