import type { Search } from "@expen/core";
import { chosenNumbers } from "@expen/linalg";

const USUAL = { c: 1e-4, shrink: 0.5, trials: 40 };

/**
 * Backtracking from t against a weighted mean C of the earlier values instead of φ(0) (Zhang and Hager, SIAM J. Optim. 14, 2004):
 * φ(t) ≤ C + c·t·φ'(0), Q ← γQ + 1, C ← ((Q − 1)·C + f)/Q. γ = 0 is Armijo, γ = 1 the plain mean. One such function serves one run.
 */
export function nonmonotone(given: Partial<typeof USUAL & { gamma: number }> = {}): Search {
  const { c, shrink, gamma, trials } = chosenNumbers("nonmonotone", { ...USUAL, gamma: 0.85 }, given);
  let [Q, C] = [0, 0];
  return (ray) => {
    Q = gamma * Q + 1;
    C = Q === 1 ? ray.f0 : C + (ray.f0 - C) / Q;
    // a value far above the mean (a restart elsewhere) must not forbid every step
    const reference = Math.max(C, ray.f0);
    ray.t = Math.min(ray.t, ray.max);
    for (let i = 0; i < trials; i++) {
      ray.move();
      if (ray.ft <= reference + c * ray.t * ray.slope0) return true;
      ray.t *= shrink;
    }
    return false;
  };
}

/** Backtracking from t until φ(t) ≤ φ(0) + c·t·φ'(0). */
export const armijo = (given: Partial<typeof USUAL> = {}): Search =>
  nonmonotone({ ...chosenNumbers("armijo", USUAL, given), gamma: 0 });
