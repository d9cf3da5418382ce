import type { Search } from "@expen/core";
import { chosenNumbers } from "@expen/linalg";

/** Below this part of |φ(0)| a difference of values may be rounding: f is often a sum of many terms. */
const NOISE = 1e-10;

const USUAL = { c: 0.5, shrink: 0.5, trials: 30 };

/**
 * The search of Manopt's and Pymanopt's conjugate gradients: backtracking with a demanding Armijo constant, whose first trial is what
 * the last search taught: its step where that took two trials, twice its step otherwise. A search that gave no step is followed by
 * smaller ones. Where the decrease asked for may be rounding, slopes take the place of values, as in CG_DESCENT: a quadratic φ has
 * φ(t) − φ(0) ≤ c·t·φ'(0) just where φ'(t) ≤ (2c − 1)·φ'(0). One such function serves one run.
 */
export function adaptive(given: Partial<typeof USUAL> = {}): Search {
  const { c, shrink, trials } = chosenNumbers("adaptive", USUAL, given);
  let remembered = Number.NaN;
  return (ray) => {
    const noise = NOISE * Math.abs(ray.f0);
    ray.t = Math.min(Number.isNaN(remembered) ? ray.t : remembered, ray.max);
    for (let i = 1; i <= trials; i++) {
      ray.move();
      const wanted = c * ray.t * ray.slope0;
      if (-wanted > noise ? ray.ft <= ray.f0 + wanted : ray.ft <= ray.f0 + noise && falls()) {
        remembered = i === 2 ? ray.t : 2 * ray.t;
        return true;
      }
      ray.t *= shrink;
    }
    remembered = ray.t;
    return false;

    function falls(): boolean {
      ray.differentiate();
      return ray.slopeT <= (2 * c - 1) * ray.slope0;
    }
  };
}
