import type { Constraint, Evaluations, Objective, Solver } from "@expen/core";
import { paperBeta } from "@expen/core/expen";
import { geometryOn, regionOn, trialRay, trustRegion } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { augmented } from "./augmented.js";
import { pencf } from "./pencf.js";
import { restoring } from "./restoring.js";

export interface PencsOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  beta?: number;
  /** the second-order phase begins when PenCF has reduced the norm of the gradient to this fraction of the largest */
  near?: number;
  evaluations?: Evaluations;
}

/**
 * PenCS, the second-order method for PenC [Xiao, Liu, Yuan, Optim. Methods Softw. 37, 2022]. After a phase of PenCF, each step is a
 * truncated Newton step in the tangent space and a Gauss–Newton step back to the manifold, accepted by a trust region on
 * h(X) = f − ½⟨S, K⟩ + β/4‖K‖²:
 *
 *     P_X(∇²f[D] − D·S) = −(∇f − X·S),   X₊ = N(X + D),   N(Z) = Z − ½Z(ZᵀZ − I), repeated while ‖ZᵀZ − I‖ > 1e-4.
 *
 * A departure: the paper approximates the Newton step of h on ℝⁿˣᵖ, and its solver of these systems is not published; split into a
 * tangential and a normal part, the linear systems do not contain β.
 */
export function* pencs(
  E: Engine,
  f: Objective,
  X0: Tall,
  { on: where, beta, near = 0.1, evaluations }: PencsOptions = {},
): Solver {
  const { n, p } = f;
  const h = augmented(E, f, beta ?? paperBeta(E, f, X0), () => {}, where);
  const { on } = h.parts;
  const { retract } = restoring(E, n, p, { above: 0, below: 1e-4, on });
  const geometry = geometryOn(E, on, (y, x, t, D) => {
    retract(y, x, t, D);
    on.update(y);
  });
  const newton = trustRegion(E, f, regionOn(where));
  const ray = trialRay(E, h, geometry, X0, evaluations, true);

  let [approached, largest] = [0, 0];
  const first = pencf(E, f, X0, { on, beta, evaluations });
  for (;;) {
    const next = first.next();
    if (next.done) {
      if (!next.value.converged) return next.value;
      break;
    }
    const state = next.value;
    approached = state.k;
    largest = state.gnormMax;
    yield state;
    if (state.gnorm > near * state.gnormMax) continue;
    // the second phase starts from a feasible point
    on.project(ray.x, state.X);
    ray.restartAt(ray.X);
    break;
  }
  const second = newton(ray);
  for (;;) {
    const next = second.next();
    if (next.done) return next.value;
    const state = next.value;
    if (state.k === 0) {
      state.gnormMax = Math.max(state.gnormMax, largest);
      continue;
    }
    state.k += approached;
    yield state;
    state.k -= approached;
  }
}
