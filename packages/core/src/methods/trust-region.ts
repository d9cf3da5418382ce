import type { Space, Tall } from "@expen/linalg";
import { amount, chosenOptions, func, object, positive, type SchemaOf } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import type { Constraint } from "../contracts/constraint.js";
import type { Precondition, Solver } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Method, TrialRay } from "../contracts/ray.js";
import { hessianOf } from "../objective/differences.js";
import { onTangentSpace } from "./precondition/tangent.js";
import type { Watch } from "./precondition/watch.js";
import type { Pair } from "./quasi-newton/first/first-matrix.js";
import { advance, newState, notFinite, roundingFloor } from "./state.js";

/** An inner iteration that lowers the model by less than this part of the mean of those before it is the last (Nash and Sofer 1990). */
const GAIN = 0.5;

/** Pairs of inner iterations before a preconditioner is judged: several of them are of one step, and the first steps are far apart. */
const PAIRS = 16;

export interface TrustRegionOptions {
  /** largest and first radius; ‖X‖ = √p on the manifold sets the scale */
  maxRadius?: number;
  radius?: number;
  /** a step is taken if the true decrease is at least this part of the predicted one */
  accept?: number;
  /** the inner iteration ends at ‖r‖ ≤ ‖g‖·min(kappa, (‖g‖/‖g_max‖)^theta) */
  kappa?: number;
  theta?: number;
  maxInner?: number;
  /** of the inner conjugate gradients; the region stays a ball in the Frobenius norm */
  precondition?: Precondition | undefined;
  /** sees the first step of each inner iteration: a preconditioner may learn from it */
  learn?: ((pair: Pair, X: Tall) => void) | undefined;
  /** judges the preconditioner; one that does harm, or is not positive definite, ends the inner iteration */
  watch?: Watch | undefined;
}

/** The radii on a constraint: those of XᵀX = I where nothing is said */
export function regionOn(on?: Constraint): Pick<TrustRegionOptions, "maxRadius" | "radius"> {
  if (!on) return {};
  return { maxRadius: Math.min(on.longestStep, 1e3 * on.size), radius: on.size / 8 };
}

const SCHEMA: SchemaOf<TrustRegionOptions> = {
  maxRadius: positive,
  radius: positive,
  accept: amount,
  kappa: amount,
  theta: amount,
  maxInner: amount,
  precondition: func,
  learn: func,
  watch: object,
};

/**
 * Trust-region Newton with Steihaug's truncated CG on the exact Hessian-vector product (or on differences of gradients), on ℝⁿˣᵖ or on
 * a manifold; constants of Manopt (Absil, Baker, Gallivan 2007) but for the inner stopping rule: theta is relative to the largest
 * gradient, so that scaling f changes nothing, and an iteration that hardly lowers the model is the last one. Where f does not change along
 * rotations XΩ its Hessian is singular: the residual alone would send the inner iteration along them, for products and steps that gain
 * nothing. Differences of f below rounding count as full agreement, which lets the Newton steps run down to the rounding floor of the
 * gradient; there the method ends with the reason "rounding". Holds 5 n×p matrices beyond those of its ray, 8 with a preconditioner.
 */
export function trustRegion(E: Space, f: Objective, options: TrustRegionOptions = {}): Method {
  const {
    maxRadius = Math.sqrt(f.p),
    radius: firstRadius = maxRadius / 8,
    accept = 0.1,
    kappa = 0.1,
    theta = 1,
    maxInner = Math.min(f.n * f.p, 300),
    precondition,
    learn,
    watch,
  } = chosenOptions("trustRegion", options, SCHEMA);
  const [r, d, Hd, Hs] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p)];
  let J: typeof d | undefined;
  const z = precondition ? E.tall(f.n, f.p) : r;
  const zOld = precondition && watch && E.tall(f.n, f.p);
  let tangent: Precondition | undefined;
  const second = hessianOf(E, f);
  /** largest |⟨d, Hd⟩|/⟨d, d⟩ so far: the scale of the Hessian */
  let largest = 0;

  return function* (ray: TrialRay): Solver {
    const { geometry, D: s } = ray;
    tangent ??= precondition && onTangentSpace(E, f.n, f.p, geometry, precondition);
    const state = newState(ray, Math.sqrt(E.dot(ray.G, ray.G)));
    yield state;
    if (!Number.isFinite(ray.f + state.gnorm))
      return notFinite(`f or its gradient is not finite at the start (f = ${ray.f})`);
    let radius = firstRadius;
    let idle = 0;
    for (;;) {
      if (state.gnorm <= 8 * EPS * largest * Math.sqrt(E.dot(ray.X, ray.X))) return roundingFloor(state.gnorm);
      const boundary = solveModel();
      const predicted = -(E.dot(ray.G, s) + 0.5 * E.dot(s, Hs));
      const step = Math.sqrt(E.dot(s, s));
      if (watch?.verdict && step === 0) return { kind: "search-failed", converged: false, text: watch.verdict };
      ray.slope0 = E.dot(ray.G, s);
      ray.t = 1;
      ray.begin();
      ray.move();
      const rounding = 1e3 * EPS * Math.abs(ray.f);
      const rho = (ray.f - ray.ft + rounding) / (predicted + rounding);
      if (!(rho >= 0.25) || !(predicted >= 0)) radius /= 4;
      else if (rho > 0.75 && boundary) radius = Math.min(2 * radius, maxRadius);
      if (radius < 1e-15 * maxRadius) {
        return ray.sawNonFinite
          ? notFinite("f is not finite at the trial points, however near they are")
          : {
              kind: "search-failed",
              converged: false,
              text: "the trust region shrank to nothing without an acceptable step",
            };
      }
      if (!(rho > accept) || !(predicted >= 0)) continue;
      const gnorm = Math.sqrt(E.dot(ray.Gt, ray.Gt));
      // Below rounding in f only the gradient tells progress from noise: a step that does not reduce it is not taken.
      if (predicted < rounding && !(gnorm < 0.5 * state.gnorm)) {
        idle++;
        // a model that is small because the region is small says nothing of the gradient: f may have a kink
        const small = !boundary || state.gnorm <= 1e-6 * state.gnormMax;
        if (idle >= 3 && small) return roundingFloor(state.gnorm);
        if (!(gnorm < state.gnorm)) {
          radius = step / 4;
          continue;
        }
      } else idle = 0;
      ray.accept();
      advance(state, ray, gnorm, step);
      state.notes ??= {};
      state.notes.radius = radius;
      yield state;
    }

    /** s ← approximate minimiser of ⟨g, s⟩ + ½⟨s, Hs⟩ over ‖s‖ ≤ radius, Hs along with it; true if it lies on the boundary */
    function solveModel(): boolean {
      const H = second.at(ray.X);
      const part = (state.gnorm / state.gnormMax) ** theta;
      const target = state.gnorm * Math.min(kappa, part);
      /** decrease of the model so far */
      let decrease = 0;
      /** whether an iteration lowers the model by more than a part of the mean of the j before it */
      const worth = (gain: number, j: number, least: number): boolean => j === 0 || gain * j > least * decrease;
      E.fill(s, 0);
      E.fill(Hs, 0);
      E.copy(r, ray.G);
      dual();
      E.combine(d, -1, z, 0, z);
      /** ⟨r, z⟩, which is ‖r‖² without a preconditioner */
      let rz = E.dot(r, z);
      if (precondition && !(rz > 0)) {
        watch?.requirePositive(rz);
        if (watch?.verdict) return false;
        throw new RangeError(`precondition: ⟨G, Z⟩ is ${rz}; it must be positive definite.`);
      }
      let [ss, sd, dd] = [0, 0, precondition ? E.dot(d, d) : rz];
      for (let j = 0; j < maxInner; j++) {
        const J = directed();
        H(Hd, J);
        geometry.hessian(Hd, J, ray.x, ray.euclideanG ?? ray.G);
        const curvature = E.dot(d, Hd);
        largest = Math.max(largest, Math.abs(curvature) / dd);
        // f that does not change along rotations has a singular Hessian: a flat direction there is rounding, not a way down
        if (j > 0 && Math.abs(curvature) <= 1e-13 * largest * dd) return false;
        if (j === 0) learn?.({ t: 1, D: d, y: Hd, dd, dy: curvature }, ray.X);
        const a = rz / curvature;
        const next = ss + 2 * a * sd + a * a * dd;
        if (!(curvature > 0) || next >= radius * radius) {
          // forward to the boundary
          const tau = (-sd + Math.sqrt(sd * sd + dd * (radius * radius - ss))) / dd;
          if (!worth(tau * rz - 0.5 * tau * tau * curvature, j, GAIN)) return false;
          E.combine(s, tau, d, 1, s);
          E.combine(Hs, tau, Hd, 1, Hs);
          return true;
        }
        E.combine(s, a, d, 1, s);
        E.combine(Hs, a, Hd, 1, Hs);
        if (!worth(0.5 * a * rz, j, Math.min(GAIN, part))) return false;
        decrease += 0.5 * a * rz;
        E.combine(r, a, Hd, 1, r);
        geometry.project(r, ray.x);
        const before = rz;
        if (zOld) E.copy(zOld, z);
        dual();
        rz = E.dot(r, z);
        if (Math.sqrt(precondition ? E.dot(r, r) : rz) <= target || !(rz > 0)) return false;
        if (zOld) {
          // P·Hd = (z₊ − z)/a
          E.combine(zOld, 1 / a, z, -1 / a, zOld);
          watch!.see(1, d, Hd, zOld, PAIRS);
          if (watch!.verdict) return false;
        }
        const b = rz / before;
        E.combine(d, -1, z, b, d);
        ss = next;
        // without a preconditioner ⟨r, s⟩ = ⟨r, d⟩ = 0 gives the products for nothing
        sd = precondition ? E.dot(s, d) : b * (sd + a * dd);
        dd = precondition ? E.dot(d, d) : rz + b * b * dd;
      }
      return false;
    }

    /** the tangent vector that d stands for */
    function directed(): typeof d {
      if (!geometry.direct) return d;
      J ??= E.tall(f.n, f.p);
      geometry.direct(J, ray.x, d);
      return J;
    }

    /** z ← P·r */
    function dual(): void {
      tangent?.(z, ray.X, r);
    }
  };
}
