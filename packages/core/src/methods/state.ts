import { digits } from "@expen/linalg";
import type { Reason, State } from "../contracts/method.js";
import type { TrialRay } from "../contracts/ray.js";

/** The gradient norm that is asked for where nothing is said, relative to the largest one where that is below 1 */
export const DEFAULT_TOLERANCE = 1e-6;

export function newState({ X, f, evaluations }: Pick<TrialRay, "X" | "f" | "evaluations">, gnorm: number): State {
  return { k: 0, X, f, gnorm, gnormMax: gnorm, step: 0, decrease: 0, seconds: 0, evaluations };
}

/** One accepted step more, to the point (X, f). */
export function advance(s: State, { X, f }: Pick<TrialRay, "X" | "f">, gnorm: number, step: number): void {
  s.k++;
  s.decrease = s.f - f;
  s.X = X;
  s.f = f;
  s.gnorm = gnorm;
  // NaN is not the largest
  if (gnorm > s.gnormMax) s.gnormMax = gnorm;
  s.step = step;
}

export const notFinite = (what: string): Reason => ({ kind: "not-finite", converged: false, text: what });

export const roundingFloor = (gnorm: number): Reason => ({
  kind: "rounding",
  converged: true,
  text: `rounding floor: the gradient norm does not fall below ${digits(gnorm)}`,
});
