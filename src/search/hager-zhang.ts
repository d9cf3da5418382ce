import type { Ray, Search } from "../types.js";

export interface HagerZhangOptions {
  /** Wolfe constants, 0 < delta < ½ ≤ … ≤ sigma < 1 */
  delta?: number;
  sigma?: number;
  /** φ may rise by epsilon·|φ(0)| in the approximate test: the size of rounding in f that is tolerated */
  epsilon?: number;
  /** bisection point, required shrinkage of the bracket, growth while bracketing */
  theta?: number;
  gamma?: number;
  rho?: number;
  limit?: number;
}

/** The trial (t, v = φ(t), s = φ'(t)), the bracket [a, b] with its slopes, the largest φ of the approximate test, trials so far. */
class Progress {
  t = Number.NaN;
  v = Number.NaN;
  s = Number.NaN;
  a = Number.NaN;
  sa = Number.NaN;
  b = Number.NaN;
  sb = Number.NaN;
  ceiling = Number.NaN;
  trials = 0;
}

/**
 * The line search of CG_DESCENT (Hager and Zhang, ACM TOMS 32, 2006). A step is accepted by the Wolfe conditions
 *
 *     T1: φ(t) − φ(0) ≤ δ·t·φ'(0)  and  φ'(t) ≥ σ·φ'(0),
 *
 * or by the approximate ones, which look at slopes and so work down to rounding level where differences of φ are noise:
 *
 *     T2: (2δ − 1)·φ'(0) ≥ φ'(t) ≥ σ·φ'(0)  and  φ(t) ≤ φ(0) + ε.
 *
 * The bracket [a, b] keeps φ(a) ≤ φ(0) + ε, φ'(a) < 0, φ'(b) ≥ 0; it shrinks by the double secant step.
 */
export function hagerZhang({
  delta = 0.1,
  sigma = 0.9,
  epsilon = 1e-6,
  theta = 0.5,
  gamma = 0.66,
  rho = 5,
  limit = 50,
}: HagerZhangOptions = {}): Search {
  // One record for all searches: V8 overwrites its fields in place, while a number in a variable of a closure is an object each time.
  const q = new Progress();
  const tilt = 2 * delta - 1;

  return (ray) => {
    const { f0, slope0 } = ray;
    if (!(slope0 < 0)) return false;
    q.ceiling = f0 + epsilon * Math.abs(f0);
    q.trials = 0;
    q.a = q.b = q.sb = 0;
    q.sa = slope0;

    // A trial where f is not finite is pulled back; then the bracket is grown from it.
    q.t = Math.min(ray.t, ray.max);
    for (;;) {
      if (accepted(ray)) return true;
      if (Number.isFinite(q.v) && Number.isFinite(q.s)) break;
      if (q.trials >= limit) return false;
      q.t *= 0.1;
    }
    for (;;) {
      if (q.s >= 0) {
        right();
        break;
      }
      if (q.v > q.ceiling) {
        q.a = 0;
        q.sa = slope0;
        right();
        if (bisect(ray)) return true;
        break;
      }
      left();
      // At the cap there is nothing to bracket: a descending point there is as far as we may go.
      if (q.t >= ray.max) return q.v <= f0 + delta * q.t * slope0;
      if (q.trials >= limit) return false;
      q.t = Math.min(rho * q.t, ray.max);
      if (accepted(ray)) return true;
      if (!Number.isFinite(q.v) || !Number.isFinite(q.s)) {
        // beyond the domain of f: a wall, to be bisected towards the last good point
        right();
        if (bisect(ray)) return true;
        break;
      }
    }

    while (q.trials < limit && q.b - q.a > 1e-16 * q.b) {
      const { a, sa, b, sb } = q;
      const c = secant(a, sa, b, sb);
      q.t = c;
      if (update(ray)) return true;
      if (q.b === c) {
        q.t = secant(b, sb, q.b, q.sb);
        if (update(ray)) return true;
      } else if (q.a === c) {
        q.t = secant(a, sa, q.a, q.sa);
        if (update(ray)) return true;
      }
      if (q.b - q.a > gamma * (b - a)) {
        q.t = (q.a + q.b) / 2;
        if (update(ray)) return true;
      }
      if (q.b - q.a === b - a) return false;
    }
    return false;
  };

  /** Moves to t; true if it is accepted. Each field is read once: before it is optimized, every reading makes an object. */
  function accepted(ray: Ray): boolean {
    const { t } = q;
    q.trials++;
    ray.t = t;
    ray.move();
    const v = ray.ft;
    q.v = v;
    q.s = Number.NaN;
    if (!Number.isFinite(v)) return false;
    ray.differentiate();
    const s = ray.slopeT;
    q.s = s;
    const { f0, slope0 } = ray;
    if (!(s >= sigma * slope0)) return false;
    const wolfe = v - f0 <= delta * t * slope0;
    return (wolfe || (tilt * slope0 >= s && v <= q.ceiling)) && (ray.acceptable?.() ?? true);
  }

  function left(): void {
    q.a = q.t;
    q.sa = q.s;
  }

  function right(): void {
    q.b = q.t;
    q.sb = q.s;
  }

  /** U3: bisects [a, b] where φ'(b) < 0 but φ(b) is above the ceiling, until φ'(b) ≥ 0. */
  function bisect(ray: Ray): boolean {
    while (q.trials < limit) {
      q.t = (1 - theta) * q.a + theta * q.b;
      if (accepted(ray)) return true;
      if (q.s >= 0) {
        right();
        return false;
      }
      if (q.v <= q.ceiling) left();
      else right();
    }
    return false;
  }

  /** Narrows [a, b] by the trial point t. */
  function update(ray: Ray): boolean {
    const { t, a, b } = q;
    if (!(t > a && t < b) || q.trials >= limit) return false;
    if (accepted(ray)) return true;
    if (q.s >= 0) right();
    else if (q.v <= q.ceiling) left();
    else {
      right();
      return bisect(ray);
    }
    return false;
  }
}

/** The zero of the line through (a, sa) and (b, sb) */
const secant = (a: number, sa: number, b: number, sb: number): number => (a * sb - b * sa) / (sb - sa);
