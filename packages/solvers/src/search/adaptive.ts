import type { Search } from "@expen/core";
import { chosenNumbers } from "@expen/linalg";

/** Fraction of |φ(0)| below which a decrease may be roundoff; far above ε, as f is often a sum of many terms. */
const NOISE = 1e-10;

/** Constants of Pymanopt's AdaptiveLineSearcher, but for the trials: 30 reach 1e-9 of the first one, where Pymanopt ends after 11. */
const DEFAULTS = { c: 0.5, shrink: 0.5, trials: 30 };

/**
 * The search of the conjugate gradients of Manopt and Pymanopt: backtracking until φ(t) ≤ φ(0) + c·t·φ'(0). The first trial is the step of
 * the last search if that took two trials, else twice that step. Two departures: a search without success is followed by a search from its
 * last trial, where Pymanopt's next step is 0; and where the required decrease may be roundoff, the slope is tested as in CG_DESCENT, since
 * for a quadratic φ the condition is equivalent to φ'(t) ≤ (2c − 1)·φ'(0). The function returned serves one run.
 */
export function adaptive(options: Partial<typeof DEFAULTS> = {}): Search {
  const { c, shrink, trials } = chosenNumbers("adaptive", DEFAULTS, options);
  let next = Number.NaN;
  return (ray) => {
    const noise = NOISE * Math.abs(ray.f0);
    ray.t = Math.min(Number.isNaN(next) ? ray.t : next, ray.max);
    for (let i = 1; i <= trials; i++) {
      ray.move();
      const change = c * ray.t * ray.slope0;
      if (-change > noise ? ray.ft <= ray.f0 + change : ray.ft <= ray.f0 + noise && hasSteepSlope()) {
        next = i === 2 ? ray.t : 2 * ray.t;
        return true;
      }
      ray.t *= shrink;
    }
    next = ray.t;
    return false;

    function hasSteepSlope(): boolean {
      ray.differentiate();
      return ray.slopeT <= (2 * c - 1) * ray.slope0;
    }
  };
}
