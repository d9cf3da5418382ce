import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Matrix, Precondition, Search, Solver } from "../types.js";
import { type CgRule, cgRules, type Products } from "./cg-rules.js";
import type { Method, TrialRay } from "./ray.js";
import { advance, newState, noStep, notFinite } from "./state.js";

export interface CgOptions {
  rule?: CgRule;
  search?: Search;
  /** a trial is acceptable only if the next direction d₊ has ⟨g₊, d₊⟩ ≤ −descent·‖g₊‖² (Gilbert and Nocedal), or ‖g₊‖ ≤ gradientTolerance */
  descent?: number;
  gradientTolerance?: number;
  /** restart along −g when the search fails, instead of giving up */
  restart?: boolean;
  /** restart along −g where |⟨g₊, g⟩| ≥ orthogonality·‖g₊‖² (Powell): gradients of conjugate directions are orthogonal */
  orthogonality?: number;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** conjugate gradients in the metric of P⁻¹: z = Pg in place of g in directions and products */
  precondition?: Precondition;
}

/**
 * Nonlinear conjugate gradients, d₊ = −z₊ + τ·d with z = g or z = Pg, on ℝⁿˣᵖ or on a manifold: the geometry moves along rays and projects old vectors to
 * the new tangent space. The first trial step is 1.01·2(f_k − f_{k−1})/φ'(0), at most 1 (the step that would repeat the last decrease).
 * Holds no matrix beyond the 5 of its ray, and 2 with a preconditioner.
 */
export function cg(
  E: Engine,
  {
    rule = cgRules["pr+"],
    search = hagerZhang(),
    descent = 0,
    gradientTolerance = 0,
    restart = true,
    orthogonality = Number.POSITIVE_INFINITY,
    stepCap = Number.POSITIVE_INFINITY,
    precondition,
  }: CgOptions = {},
): Method {
  let [z, zOld]: [Matrix?, Matrix?] = [];
  return function* (ray: TrialRay): Solver {
    const { geometry } = ray;
    /** z = P(X)·g in the given matrix, made tangent, or g itself */
    const dual = (Z: Matrix | undefined, X: Matrix, G: Matrix): Matrix => {
      if (!precondition) return G;
      precondition(Z!, X, G);
      geometry.project(Z!, X);
      return Z!;
    };
    const norm = (G: Matrix): number => Math.sqrt(E.dot(G, G));
    if (precondition) {
      z ??= E.matrix(ray.X.rows, ray.X.cols);
      zOld ??= E.matrix(ray.X.rows, ray.X.cols);
    }
    let Z = dual(z, ray.X, ray.G);
    const q: Products = { gg: 0, g0g0: E.dot(ray.G, Z), gy: 0, dy: 0, yy: 0, dg: 0, dg0: 0, dd: 0 };
    const state = newState(ray, norm(ray.G));
    yield state;
    if (!Number.isFinite(ray.f + q.g0g0))
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);

    if (descent > 0) {
      // The products of the trial point without forming y: dot products of differences, good enough for a yes or no.
      ray.acceptable = () => {
        if (norm(ray.Gt) <= gradientTolerance) return true;
        const Zt = dual(zOld, ray.Xt, ray.Gt);
        q.gg = E.dot(ray.Gt, Zt);
        const gg0 = E.dot(Zt, ray.G);
        q.gy = q.gg - gg0;
        q.dg = E.dot(ray.D, ray.Gt);
        q.dy = q.dg - q.dg0;
        q.yy = q.gg - 2 * gg0 + q.g0g0;
        return -q.gg + rule(q) * q.dg <= -descent * q.gg;
      };
    }
    let before = ray.f + Math.sqrt(q.g0g0) / 2;
    let steepest = true;
    descend();
    for (;;) {
      ray.max = stepCap / Math.sqrt(q.dd);
      ray.begin(q.dg0);
      const guess = Math.min(1, (2.02 * (ray.f - before)) / q.dg0);
      const t = search(ray, guess > 0 ? guess : 1);
      if (t === 0) {
        if (steepest || !restart) return noStep(ray, state.gnorm);
        steepest = true;
        descend();
        continue;
      }
      const step = t * Math.sqrt(q.dd);
      before = ray.f;
      ray.accept();
      // ray.Gt is now the old gradient: moved to the new tangent space it becomes y
      geometry.project(ray.Gt, ray.X);
      geometry.project(ray.D, ray.X);
      E.axpby(ray.Gt, 1, ray.G, -1);
      [z, zOld] = [zOld, z];
      Z = dual(z, ray.X, ray.G);
      q.gg = E.dot(ray.G, Z);
      q.gy = E.dot(Z, ray.Gt);
      q.dy = E.dot(ray.D, ray.Gt);
      // ⟨y, Py⟩ with the old z moved to the new tangent space as the old g was
      if (zOld) geometry.project(zOld, ray.X);
      q.yy = zOld ? q.gy - E.dot(zOld, ray.Gt) : E.dot(ray.Gt, ray.Gt);
      q.dg = E.dot(ray.D, ray.G);
      advance(state, ray, precondition ? norm(ray.G) : Math.sqrt(q.gg), step);
      if (!Number.isFinite(q.gg)) return notFinite("the gradient is not finite at the last point");
      yield state;

      const tau = rule(q);
      // ⟨g₊, g⟩ = ⟨g₊, g₊ − y⟩
      const orthogonal = Math.abs(q.gg - q.gy) < orthogonality * q.gg;
      steepest = !Number.isFinite(tau) || tau === 0 || !orthogonal;
      E.axpby(ray.D, -1, Z, steepest ? 0 : tau);
      q.g0g0 = q.gg;
      q.dg0 = E.dot(ray.G, ray.D);
      q.dd = E.dot(ray.D, ray.D);
      if (!(q.dg0 < 0)) {
        steepest = true;
        descend();
      }
    }

    /** d ← −z, or −g where P is not positive definite */
    function descend(): void {
      if (!(q.g0g0 > 0)) {
        Z = ray.G;
        q.g0g0 = E.dot(ray.G, ray.G);
      }
      E.axpby(ray.D, -1, Z, 0);
      q.dg0 = -q.g0g0;
      q.dd = Z === ray.G ? q.g0g0 : E.dot(ray.D, ray.D);
    }
  };
}
