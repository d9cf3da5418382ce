import { chosenNumbers } from "@expen/linalg";
import type { Search } from "../contracts/method.js";

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

/** the constants of CG_DESCENT, and the most evaluations of a search */
const USUAL = { delta: 0.1, sigma: 0.9, epsilon: 1e-6, theta: 0.5, gamma: 0.66, rho: 5, limit: 50 };

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
export function hagerZhang(options: HagerZhangOptions = {}): Search {
  const { delta, sigma, epsilon, theta, gamma, rho, limit } = chosenNumbers("hagerZhang", USUAL, options);
  return (ray) => {
    const { f0, slope0, max } = ray;
    if (!(slope0 < 0)) return false;
    /** the largest φ of the approximate test */
    const ceiling = f0 + epsilon * Math.abs(f0);
    let trials = 0;
    // the trial with φ and φ' there, and the bracket [a, b] with φ' at its ends
    let [t, v, s] = [Number.NaN, Number.NaN, Number.NaN];
    let [a, sa, b, sb] = [0, slope0, 0, 0];
    return accepted(Math.min(ray.t, max)) || (retreated() ?? bracketed() ?? shrunk());

    /** Moves to t; true if it is accepted. */
    function accepted(at: number): boolean {
      trials++;
      ray.t = t = at;
      ray.move();
      v = ray.ft;
      s = Number.NaN;
      if (!Number.isFinite(v)) return false;
      // both tests ask for this
      ray.differentiate(v > ceiling);
      s = ray.slopeT;
      if (!(s >= sigma * slope0)) return false;
      const wolfe = v - f0 <= delta * t * slope0;
      return (wolfe || ((2 * delta - 1) * slope0 >= s && v <= ceiling)) && (ray.acceptable?.() ?? true);
    }

    /** Pulls a trial back where f is not finite. Like those below: true or false where the search is over. */
    function retreated(): boolean | undefined {
      while (!finite()) {
        if (trials >= limit) return false;
        if (accepted(0.1 * t)) return true;
      }
      return undefined;
    }

    /** Grows the bracket from the trial on. */
    function bracketed(): boolean | undefined {
      for (;;) {
        if (s >= 0) {
          right();
          return undefined;
        }
        if (v > ceiling) {
          [a, sa] = [0, slope0];
          right();
          return bisect() || undefined;
        }
        left();
        // At the cap there is nothing to bracket: a descending point there is as far as we may go.
        if (t >= max) return v <= f0 + delta * t * slope0;
        if (trials >= limit) return false;
        if (accepted(Math.min(rho * t, max))) return true;
        if (finite()) continue;
        // beyond the domain of f: a wall
        right();
        return beforeWall() || bisect() || undefined;
      }
    }

    /** Tries the middle between the last good point and a wall, and then that point: as at the cap, there is nothing to bracket. */
    function beforeWall(): boolean {
      const good = a;
      for (const at of [(good + b) / 2, good]) {
        if (accepted(at) || (finite() && s < 0 && v <= f0 + delta * t * slope0)) return true;
      }
      return false;
    }

    /** Shrinks the bracket by double secant steps. */
    function shrunk(): boolean {
      while (trials < limit && b - a > 1e-16 * b) {
        const [a0, sa0, b0, sb0] = [a, sa, b, sb];
        const c = secant(a, sa, b, sb);
        if (narrowed(c)) return true;
        if (b === c) {
          if (narrowed(secant(b0, sb0, b, sb))) return true;
        } else if (a === c) {
          if (narrowed(secant(a0, sa0, a, sa))) return true;
        }
        if (b - a > gamma * (b0 - a0) && narrowed((a + b) / 2)) return true;
        if (b - a === b0 - a0) return false;
      }
      return false;
    }

    /** Narrows [a, b] by the trial point `at`; true if that is accepted. */
    function narrowed(at: number): boolean {
      if (!(at > a && at < b) || trials >= limit) return false;
      if (accepted(at)) return true;
      if (s >= 0) right();
      else if (v <= ceiling) left();
      else {
        right();
        return bisect();
      }
      return false;
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

    function finite(): boolean {
      return Number.isFinite(v) && Number.isFinite(s);
    }
    function left(): void {
      [a, sa] = [t, s];
    }
    function right(): void {
      [b, sb] = [t, s];
    }
  };
}

/** The zero of the line through (a, sa) and (b, sb) */
const secant = (a: number, sa: number, b: number, sb: number): number => (a * sb - b * sa) / (sb - sa);
