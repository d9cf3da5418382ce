import type { Search } from "@expen/core";
import { chosenNumbers } from "@expen/linalg";

/** c of Nocedal and Wright, section 3.1; 40 halvings reach 1e-12 of the first trial. */
const DEFAULTS = { c: 1e-4, shrink: 0.5, trials: 40 };

/**
 * Backtracking from t with a weighted mean C of the earlier values in the place of φ(0) [Zhang, Hager, SIAM J. Optim. 14, 2004]:
 *
 *     φ(t) ≤ C + c·t·φ'(0),   Q ← γQ + 1,   C ← ((Q − 1)·C + f)/Q,
 *
 * where γ = 0 is the Armijo condition and γ = 1 the arithmetic mean. The function returned serves one run.
 */
export function nonmonotone(options: Partial<typeof DEFAULTS & { gamma: number }> = {}): Search {
  const { c, shrink, gamma, trials } = chosenNumbers("nonmonotone", { ...DEFAULTS, gamma: 0.85 }, options);
  let [Q, C] = [0, 0];
  return (ray) => {
    Q = gamma * Q + 1;
    C = Q === 1 ? ray.f0 : C + (ray.f0 - C) / Q;
    // after a restart at another point φ(0) may be far above the mean, which would forbid every step
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
export const armijo = (options: Partial<typeof DEFAULTS> = {}): Search =>
  nonmonotone({ ...chosenNumbers("armijo", DEFAULTS, options), gamma: 0 });
