import { EPS } from "../arrays/scale.js";
import type { Search } from "../types.js";

/**
 * The search of Manopt's and Pymanopt's conjugate gradients: backtracking with a demanding Armijo constant, whose first trial is what
 * the last search taught: its step where that took two trials, twice its step otherwise. A search that gave no step is followed by
 * smaller ones. Differences of φ below rounding count as equal. One such function serves one run.
 */
export function adaptive({ c = 0.5, shrink = 0.5, trials = 30 } = {}): Search {
  let remembered = Number.NaN;
  return (ray) => {
    const floor = 4 * EPS * Math.abs(ray.f0);
    ray.t = Math.min(Number.isNaN(remembered) ? ray.t : remembered, ray.max);
    for (let i = 1; i <= trials; i++) {
      ray.move();
      if (ray.ft <= ray.f0 + c * ray.t * ray.slope0 + floor) {
        remembered = i === 2 ? ray.t : 2 * ray.t;
        return true;
      }
      ray.t *= shrink;
    }
    remembered = ray.t;
    return false;
  };
}
