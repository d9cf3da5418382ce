import type { Space, Tall } from "@expen/linalg";
import { amount, bool, chosenOptions, func, object, type SchemaOf } from "@expen/linalg";
import type { Precondition, Search, Solver } from "../contracts/method.js";
import type { Method, TrialRay } from "../contracts/ray.js";
import { hagerZhang } from "../search/hager-zhang.js";
import { type CgRule, cgRules, type Products } from "./cg-rules.js";
import { noStep } from "./no-step.js";
import { onTangentSpace } from "./precondition/tangent.js";
import type { Watch } from "./precondition/watch.js";
import type { Pair } from "./quasi-newton/first/first-matrix.js";
import { advance, newState, notFinite } from "./state.js";

/** −g + τd is taken for a direction of descent if ⟨g, d⟩ < −this·⟨g, z⟩; else g and τd have cancelled, as always in one dimension. */
const NO_DESCENT = 1e-10;

export interface CgOptions {
  rule?: CgRule;
  search?: Search;
  /**
   * a trial is acceptable only if the next direction d₊ has ⟨g₊, d₊⟩ ≤ −descent·‖g₊‖² (Gilbert and Nocedal), or
   * ‖g₊‖ ≤ gradientTolerance
   */
  descent?: number;
  gradientTolerance?: number;
  /** restart along −g when the search fails, instead of giving up */
  restart?: boolean;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** conjugate gradients in the metric of P⁻¹: z = Pg in place of g in directions and products */
  precondition?: Precondition;
  /** sees each step before the next direction is made: a preconditioner may learn from it */
  learn?: ((pair: Pair, X: Tall) => void) | undefined;
  /** judges the preconditioner */
  watch?: Watch | undefined;
}

const SCHEMA: SchemaOf<CgOptions> = {
  rule: func,
  search: func,
  descent: amount,
  gradientTolerance: amount,
  restart: bool,
  stepCap: amount,
  precondition: func,
  learn: func,
  watch: object,
};

/**
 * Nonlinear conjugate gradients, d₊ = −z₊ + τ·d with z = g or z = Pg, on a manifold or with a preconditioner: the geometry moves along rays
 * and moves old vectors to the new tangent space. On ℝⁿˣᵖ and without P it is Algorithm 1 (expen/algorithm-1.ts), which takes fewer inner
 * products there. The first trial step is 1.01·2(f_k − f_{k−1})/φ'(0), at most 1 (the step that would repeat the
 * last decrease). Holds no matrix beyond the 5 of its ray, and 3 with a preconditioner.
 */
export function cg(E: Space, options: CgOptions = {}): Method {
  const {
    rule = cgRules["pr+"],
    search = hagerZhang(),
    descent = 0,
    gradientTolerance = 0,
    restart = true,
    stepCap = Number.POSITIVE_INFINITY,
    precondition,
    learn,
    watch,
  } = chosenOptions("cg", options, SCHEMA);
  return function* (ray: TrialRay): Solver {
    const { rows: n, cols: p } = ray.X;
    const { transport } = ray.geometry;
    const tangent = precondition && onTangentSpace(E, n, p, ray.geometry, precondition);
    let [z, zOld] = precondition ? [E.tall(n, p), E.tall(n, p)] : [ray.G, ray.G];
    /** z at the current point */
    let Z = dual(z, ray.X, ray.G);
    const q: Products = { gg: 0, g0g0: E.dot(ray.G, Z), gy: 0, dy: 0, yy: 0, dg: 0, dg0: 0, dd: 0 };
    const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
    yield state;
    if (!Number.isFinite(ray.f + state.gnorm)) {
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    }
    if (precondition && state.gnorm > 0) watch?.requirePositive(q.g0g0);
    if (descent > 0) ray.acceptable = descends;
    let steepest = true;
    /** of f in the last step */
    let change = -Math.sqrt(q.g0g0) / 2;
    descend();
    for (;;) {
      while (!searchAlong()) {
        if (steepest || !restart) return noStep(ray, state.gnorm);
        descend();
      }
      change = ray.ft - ray.f0;
      const step = ray.t * Math.sqrt(q.dd);
      arrive();
      advance(state, ray, Math.sqrt(precondition ? E.dot(ray.G, ray.G) : q.gg), step);
      if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
      yield state;
      turn();
    }

    /** Accepts the trial point, moves g and d to its tangent space, and forms y there. */
    function arrive(): void {
      const { t } = ray;
      ray.accept();
      transport?.(ray.Gt, ray.x);
      transport?.(ray.D, ray.x);
      E.combine(ray.Gt, 1, ray.G, -1, ray.Gt);
      const y = ray.Gt;
      q.dy = E.dot(ray.D, y);
      learn?.({ t, D: ray.D, y, dd: E.dot(ray.D, ray.D), dy: q.dy }, ray.X);
      [z, zOld] = [zOld, z];
      Z = dual(z, ray.X, ray.G);
      q.gg = E.dot(ray.G, Z);
      q.gy = E.dot(Z, y);
      q.dg = E.dot(ray.D, ray.G);
      if (!precondition) q.yy = E.dot(y, y);
      else {
        // ⟨y, Py⟩ with the old z moved to the new tangent space as the old g was
        transport?.(zOld, ray.x);
        E.combine(zOld, 1, Z, -1, zOld);
        q.yy = E.dot(zOld, y);
        if (q.gg !== 0) watch?.requirePositive(q.gg);
        watch?.see(t, ray.D, y, zOld);
      }
    }

    /** d ← −z + τ·d */
    function turn(): void {
      const tau = rule(q);
      steepest = !Number.isFinite(tau) || tau === 0;
      E.combine(ray.D, -1, Z, steepest ? 0 : tau, ray.D);
      q.dg0 = steepest ? -q.gg : tau * q.dg - q.gg;
      q.dd = E.dot(ray.D, ray.D);
      q.g0g0 = q.gg;
      if (!(q.dg0 < -NO_DESCENT * q.gg)) descend();
    }

    /** d ← −z, or −g where P is not positive definite */
    function descend(): void {
      steepest = true;
      if (!(q.g0g0 > 0)) {
        Z = ray.G;
        q.g0g0 = E.dot(ray.G, ray.G);
      }
      E.combine(ray.D, -1, Z, 0, Z);
      q.dg0 = -q.g0g0;
      q.dd = Z === ray.G ? q.g0g0 : E.dot(ray.D, ray.D);
    }

    /** Searches along d. */
    function searchAlong(): boolean {
      ray.max = stepCap / Math.sqrt(q.dd);
      ray.slope0 = q.dg0;
      const guess = Math.min(1, (2.02 * change) / q.dg0);
      ray.t = guess > 0 ? guess : 1;
      ray.begin();
      return search(ray);
    }

    /**
     * Whether the next direction descends at the trial point, by products without y; searches ask for the slope before they ask this.
     */
    function descends(): boolean {
      const Zt = dual(zOld, ray.Xt, ray.Gt);
      const gg0 = E.dot(Zt, ray.G);
      q.dg = ray.slopeT;
      q.gg = E.dot(ray.Gt, Zt);
      q.gy = q.gg - gg0;
      q.dy = q.dg - q.dg0;
      q.yy = q.gg - 2 * gg0 + q.g0g0;
      if (Math.sqrt(precondition ? E.dot(ray.Gt, ray.Gt) : q.gg) <= gradientTolerance) return true;
      return -q.gg + rule(q) * q.dg <= -descent * q.gg;
    }

    /** z = P(X)·g in the given matrix, made tangent, or g itself */
    function dual(Z: Tall, X: Tall, G: Tall): Tall {
      if (!tangent) return G;
      tangent(Z, X, G);
      return Z;
    }
  };
}
