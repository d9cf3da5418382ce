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
  // The state of the search in progress, here and not in the call, so that a search makes no garbage:
  // the ray, the trial (t, v = φ(t), s = φ'(t)), the bracket with its slopes.
  let ray: Ray;
  let [ceiling, trials] = [0, 0];
  let [t, v, s] = [0, 0, 0];
  let [a, sa, b, sb] = [0, 0, 0, 0];

  return (along, first) => {
    ray = along;
    const { f0, slope0 } = ray;
    if (!(slope0 < 0)) return 0;
    ceiling = f0 + epsilon * Math.abs(f0);
    trials = 0;
    a = b = sb = 0;
    sa = slope0;

    // A trial where f is not finite is pulled back; then the bracket is grown from it.
    let trial = Math.min(first, ray.max);
    for (;;) {
      if (accepted(trial)) return t;
      if (Number.isFinite(v) && Number.isFinite(s)) break;
      if (trials >= limit) return 0;
      trial *= 0.1;
    }
    for (;;) {
      if (s >= 0) {
        right();
        break;
      }
      if (v > ceiling) {
        a = 0;
        sa = slope0;
        right();
        if (bisect()) return t;
        break;
      }
      left();
      // At the cap there is nothing to bracket: a descending point there is as far as we may go.
      if (t >= ray.max) return v <= f0 + delta * t * slope0 ? t : 0;
      if (trials >= limit) return 0;
      if (accepted(Math.min(rho * t, ray.max))) return t;
      if (!Number.isFinite(v) || !Number.isFinite(s)) {
        // beyond the domain of f: a wall, to be bisected towards the last good point
        right();
        if (bisect()) return t;
        break;
      }
    }

    while (trials < limit && b - a > 1e-16 * b) {
      const width = b - a;
      const a0 = a;
      const sa0 = sa;
      const b0 = b;
      const sb0 = sb;
      const c = secant(a, sa, b, sb);
      if (update(c)) return t;
      if (b === c) {
        if (update(secant(b0, sb0, b, sb))) return t;
      } else if (a === c && update(secant(a0, sa0, a, sa))) return t;
      if (b - a > gamma * width && update((a + b) / 2)) return t;
      if (b - a === width) return 0;
    }
    return 0;
  };

  /** Moves to t; true if it is accepted. */
  function accepted(at: number): boolean {
    trials++;
    t = at;
    v = ray.at(t);
    s = Number.isFinite(v) ? ray.slope() : Number.NaN;
    const { f0, slope0 } = ray;
    if (!(s >= sigma * slope0) || !Number.isFinite(v)) return false;
    const wolfe = v - f0 <= delta * t * slope0;
    const approximate = (2 * delta - 1) * slope0 >= s && v <= ceiling;
    return (wolfe || approximate) && (ray.acceptable?.() ?? true);
  }

  function left(): void {
    a = t;
    sa = s;
  }

  function right(): void {
    b = t;
    sb = s;
  }

  /** U3: bisects [a, b] where φ'(b) < 0 but φ(b) is above the ceiling, until φ'(b) ≥ 0. */
  function bisect(): boolean {
    while (trials < limit) {
      if (accepted((1 - theta) * a + theta * b)) return true;
      if (s >= 0) {
        right();
        return false;
      }
      if (v <= ceiling) left();
      else right();
    }
    return false;
  }

  /** Narrows [a, b] by the trial point c. */
  function update(c: number): boolean {
    if (!(c > a && c < b) || trials >= limit) return false;
    if (accepted(c)) return true;
    if (s >= 0) right();
    else if (v <= ceiling) left();
    else {
      right();
      return bisect();
    }
    return false;
  }
}

/** The zero of the line through (a, sa) and (b, sb) */
const secant = (a: number, sa: number, b: number, sb: number): number => (a * sb - b * sa) / (sb - sa);
