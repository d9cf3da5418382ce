import type { Space } from "@expen/linalg";
import { amount, chosenOptions, func, type SchemaOf } from "@expen/linalg";
import type { Search, Solver } from "../contracts/method.js";
import type { Method, TrialRay } from "../contracts/ray.js";
import { type CgRule, cgRules, type Products } from "../methods/cg-rules.js";
import { noStep } from "../methods/no-step.js";
import { advance, newState, notFinite } from "../methods/state.js";
import { moreThuente } from "../search/more-thuente.js";

/** −g + τd is taken for a direction of descent if ⟨g, d⟩ < −this·‖g‖²; else g and τd have cancelled, as always in one dimension. */
const LEAST_DESCENT = 1e-10;

/** Options of `algorithm1`: the rule for τ, the line search, and the longest step */
export interface Algorithm1Options {
  /** the parameter τ_k of step 5; left out: Fletcher and Reeves. Others of Remark 4.3: `cgRules.pr`, `dy`, `hs` */
  tau?: CgRule;
  /** the strong Wolfe search of step 3; left out: Moré and Thuente's with δ = 1e-4, σ = 0.1 */
  search?: Search;
  /** ‖ηD‖ is at most this. Theorem 4.2 asks for 1/24 */
  longestStep?: number;
  /**
   * a step is taken only if the next direction has ⟨∇h, D⟩ ≤ −descent·‖∇h‖² (Gilbert and Nocedal; SciPy: 0.01), or
   * ‖∇h‖ ≤ gradientTolerance
   */
  descent?: number;
  /** ‖∇h‖ at which the algorithm ends */
  gradientTolerance?: number;
}

const SCHEMA: SchemaOf<Algorithm1Options> = {
  tau: func,
  search: func,
  longestStep: amount,
  descent: amount,
  gradientTolerance: amount,
};

/**
 * Algorithm 1 of [Xiao, Liu 2024], nonlinear conjugate gradients on h, as it is printed:
 *
 *     1   X₀,  D₀ = −∇h(X₀)
 *     3   η_k by a strong Wolfe search:   h(X_k + ηD_k) − h(X_k) ≤ δη⟨∇h(X_k), D_k⟩,
 *                                         |⟨∇h(X_k + ηD_k), D_k⟩| ≤ −σ⟨∇h(X_k), D_k⟩
 *     4   X_{k+1} = X_k + η_k D_k
 *     5   τ_k = ‖∇h(X_{k+1})‖²/‖∇h(X_k)‖²                  (Fletcher and Reeves)
 *     6   D_{k+1} = −∇h(X_{k+1}) + τ_k D_k
 *
 * The run ends it (step 2) and projects the last X (projection.ts). The experiments of section 4.2 are this with SciPy's search and PR+:
 * solver `expen-cg` with `beta: "paper"`. Beyond the paper D is −∇h again where it does not descend, or the search finds no step along it.
 *
 * `ray` has X, G = ∇h(X), D and a trial point Xt with Gt. Inner products are updated where they follow from others, so that a step takes
 * three: ⟨g₊, g₊⟩, ⟨g₊, g⟩ and ⟨d, g₊⟩. Holds the five matrices of the ray.
 */
export function algorithm1(E: Space, options: Algorithm1Options = {}): Method {
  const {
    tau = cgRules.fr,
    search = moreThuente({ c1: 1e-4, c2: 0.1 }),
    longestStep = Number.POSITIVE_INFINITY,
    descent = 0,
    gradientTolerance = 0,
  } = chosenOptions("algorithm1", options, SCHEMA);
  return function* (ray: TrialRay): Solver {
    const gg = E.dot(ray.G, ray.G);
    const state = newState(ray, Math.sqrt(gg));
    yield state;
    if (!Number.isFinite(ray.f + gg)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    }
    const q: Products = { gg: 0, g0g0: gg, gy: 0, dy: 0, yy: 0, dg: 0, dg0: 0, dd: 0 };
    /** the trial step at which the products were taken last */
    let measuredAt = Number.NaN;
    if (descent > 0) ray.acceptable = nextDescends;
    let isSteepest = true;
    restart(); // 1
    /** of h in the last step; before the first ‖∇h‖/2 is expected */
    let change = -Math.sqrt(gg) / 2;
    for (;;) {
      while (!wolfeStep()) {
        if (isSteepest) return noStep(ray, state.gnorm);
        restart();
      }
      change = ray.ft - ray.f0;
      const step = ray.t * Math.sqrt(q.dd);
      if (measuredAt !== ray.t) measure(E.dot(ray.Gt, ray.D));
      ray.accept(); // 4
      advance(state, ray, Math.sqrt(q.gg), step);
      if (!Number.isFinite(q.gg)) return notFinite("the gradient is not finite at the last point");
      yield state;
      turn(tau(q)); // 5
    }

    /** Step 3: η = ray.t. The first trial repeats the last change of h, as SciPy's does. */
    function wolfeStep(): boolean {
      ray.max = longestStep / Math.sqrt(q.dd);
      ray.slope0 = q.dg0;
      const repeated = Math.min(1, (2.02 * change) / q.dg0);
      ray.t = repeated > 0 ? repeated : 1;
      measuredAt = Number.NaN;
      ray.begin();
      return search(ray);
    }

    /** Step 6: d ← −g + τd, or −g where that does not descend */
    function turn(tau: number): void {
      isSteepest = !Number.isFinite(tau) || tau === 0;
      E.combine(ray.D, -1, ray.G, isSteepest ? 0 : tau, ray.D);
      q.dg0 = isSteepest ? -q.gg : tau * q.dg - q.gg;
      // ‖d‖ ≥ |⟨g, d⟩|/‖g‖, also where the terms cancel
      const least = q.dg0 ** 2 / q.gg;
      q.dd = isSteepest ? q.gg : Math.max(least, q.gg + tau * (tau * q.dd - 2 * q.dg));
      q.g0g0 = q.gg;
      if (!(q.dg0 < -LEAST_DESCENT * q.gg)) restart();
    }

    /** Step 1: d ← −g */
    function restart(): void {
      isSteepest = true;
      E.combine(ray.D, -1, ray.G, 0, ray.G);
      [q.dg0, q.dd] = [-q.g0g0, q.g0g0];
    }

    /** The products at the trial point, y = g₊ − g not formed, from ⟨d, g₊⟩. */
    function measure(dg: number): void {
      const gg = E.dot(ray.Gt, ray.Gt);
      const gg0 = E.dot(ray.Gt, ray.G);
      q.dg = dg;
      q.gg = gg;
      q.gy = gg - gg0;
      q.dy = dg - q.dg0;
      q.yy = gg - 2 * gg0 + q.g0g0;
      measuredAt = ray.t;
    }

    /** Whether the next direction descends enough; a search has taken the slope before it asks. */
    function nextDescends(): boolean {
      measure(ray.slopeT);
      if (Math.sqrt(q.gg) <= gradientTolerance) return true;
      return -q.gg + tau(q) * q.dg <= -descent * q.gg;
    }
  };
}
