import { Cell } from "../scalar.js";
import { hagerZhang } from "../search/hager-zhang.js";
import type { Engine, Matrix, Precondition, Reason, Scalar, Search, State } from "../types.js";
import { type CgRule, cgRules, type Products } from "./cg-rules.js";
import type { Method, TrialRay } from "./ray.js";
import { advanced, newState, noStep, notFinite, restarted } from "./state.js";
import { stepwiseMethod } from "./stepwise.js";

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
  /** sees each step that was found before it is accepted: a preconditioner may learn from it */
  learn?: (ray: TrialRay) => void;
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
    learn,
  }: CgOptions = {},
): Method {
  let [z, zOld]: [Matrix?, Matrix?] = [];
  /** z at the current point */
  let Z: Matrix;
  let steepest = true;
  let state: State;
  const q: Products = { gg: 0, g0g0: 0, gy: 0, dy: 0, yy: 0, dg: 0, dg0: 0, dd: 0 };
  // in fields as those of q: a number in a variable of a closure is an object each time it changes
  const tau = new Cell();
  /** what the last step changed in f; a ray may give its values as differences, f0 = 0 */
  const change = new Cell();
  /** the trial step at which the products were asked for last */
  const asked = new Cell();
  const slope = new Cell();
  /** vectors of all points are of one space with one inner product */
  const flat = ({ geometry }: TrialRay): boolean => !precondition && geometry.name === "euclidean";
  return stepwiseMethod(begin, step);

  function begin(ray: TrialRay): State {
    if (precondition) {
      z ??= E.matrix(ray.X.rows, ray.X.cols);
      zOld ??= E.matrix(ray.X.rows, ray.X.cols);
    }
    Z = dual(z, ray, ray.X, ray.G);
    q.g0g0 = E.inner(ray.G, Z).value;
    state ??= newState(ray, 0);
    state.gnorm = Math.sqrt(E.inner(ray.G, ray.G).value);
    restarted(state, ray);
    return state;
  }

  function step(ray: TrialRay): Reason | undefined {
    if (state.k > 0) turn(ray);
    else if (!first(ray)) return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    while (!found(ray)) {
      if (steepest || !restart) return noStep(ray, state.gnorm);
      descend(ray);
    }
    change.value = ray.ft - ray.f0;
    learn?.(ray);
    if (flat(ray)) {
      // y is not formed; a search that asked whether the next direction descends has left the products
      if (asked.value !== ray.t) {
        ray.settle?.();
        products(ray, ray.Gt, E.inner(ray.Gt, ray.D));
      }
      ray.accept();
      Z = ray.G;
    } else transport(ray);
    state.gnorm = Math.sqrt(precondition ? E.inner(ray.G, ray.G).value : q.gg);
    state.step = ray.t * Math.sqrt(q.dd);
    advanced(state, ray);
    if (!Number.isFinite(q.gg)) return notFinite("the gradient is not finite at the last point");
    return undefined;
  }

  /** Accepts the trial point, moves g and d to its tangent space, and forms y there. */
  function transport(ray: TrialRay): void {
    const { geometry } = ray;
    ray.accept();
    geometry.project(ray.Gt, ray.X);
    geometry.project(ray.D, ray.X);
    E.axpby(ray.Gt, 1, ray.G, -1);
    const zBefore = z;
    z = zOld;
    zOld = zBefore;
    Z = dual(z, ray, ray.X, ray.G);
    q.gg = E.inner(ray.G, Z).value;
    q.gy = E.inner(Z, ray.Gt).value;
    q.dy = E.inner(ray.D, ray.Gt).value;
    // ⟨y, Py⟩ with the old z moved to the new tangent space as the old g was
    if (zOld) geometry.project(zOld, ray.X);
    q.yy = zOld ? q.gy - E.inner(zOld, ray.Gt).value : E.inner(ray.Gt, ray.Gt).value;
    q.dg = E.inner(ray.D, ray.G).value;
  }

  /** The products at the trial point without y, by differences of inner products. */
  function products(ray: TrialRay, Zt: Matrix, dg: Scalar): void {
    q.dg = dg.value;
    q.gg = E.inner(ray.Gt, Zt).value;
    const gg0 = E.inner(Zt, ray.G).value;
    q.gy = q.gg - gg0;
    q.dy = q.dg - q.dg0;
    q.yy = q.gg - 2 * gg0 + q.g0g0;
    asked.value = ray.t;
  }

  /** The first direction; false where f or its gradient is not finite. */
  function first(ray: TrialRay): boolean {
    if (!Number.isFinite(ray.f + q.g0g0)) return false;
    if (descent > 0) ray.acceptable = () => descends(ray);
    change.value = -Math.sqrt(q.g0g0) / 2;
    descend(ray);
    return true;
  }

  /** d ← −z + τ·d */
  function turn(ray: TrialRay): void {
    tau.value = rule(q);
    // ⟨g₊, g⟩ = ⟨g₊, g₊ − y⟩
    const orthogonal = Math.abs(q.gg - q.gy) < orthogonality * q.gg;
    steepest = !Number.isFinite(tau.value) || tau.value === 0 || !orthogonal;
    E.axpby(ray.D, -1, Z, steepest ? 0 : tau);
    q.dg0 = steepest ? -q.gg : tau.value * q.dg - q.gg;
    q.dd = flat(ray) && !steepest ? q.gg + tau.value * (tau.value * q.dd - 2 * q.dg) : E.inner(ray.D, ray.D).value;
    q.g0g0 = q.gg;
    if (!(q.dg0 < 0)) descend(ray);
  }

  /** d ← −z, or −g where P is not positive definite */
  function descend(ray: TrialRay): void {
    steepest = true;
    if (!(q.g0g0 > 0)) {
      Z = ray.G;
      q.g0g0 = E.inner(ray.G, ray.G).value;
    }
    E.axpby(ray.D, -1, Z, 0);
    q.dg0 = -q.g0g0;
    q.dd = Z === ray.G ? q.g0g0 : E.inner(ray.D, ray.D).value;
  }

  /** Searches along d. */
  function found(ray: TrialRay): boolean {
    ray.max = stepCap / Math.sqrt(q.dd);
    ray.slope0 = q.dg0;
    const guess = Math.min(1, (2.02 * change.value) / q.dg0);
    ray.t = guess > 0 ? guess : 1;
    asked.value = Number.NaN;
    ray.begin();
    return search(ray);
  }

  /** Whether the next direction descends at the trial point */
  function descends(ray: TrialRay): boolean {
    ray.settle?.();
    slope.value = ray.slopeT;
    // searches ask for the slope before they ask this
    products(ray, dual(zOld, ray, ray.Xt, ray.Gt), slope);
    if (Math.sqrt(precondition ? E.inner(ray.Gt, ray.Gt).value : q.gg) <= gradientTolerance) return true;
    return -q.gg + rule(q) * q.dg <= -descent * q.gg;
  }

  /** z = P(X)·g in the given matrix, made tangent, or g itself */
  function dual(Z: Matrix | undefined, { geometry }: TrialRay, X: Matrix, G: Matrix): Matrix {
    if (!precondition) return G;
    precondition(Z!, X, G);
    geometry.project(Z!, X);
    return Z!;
  }
}
