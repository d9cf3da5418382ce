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

/** A trial this many times |φ(0)| + |φ'(0)| below φ(0), and still falling: no minimum is near. */
const ENDLESS = 1e8;

type Failed = { sawNonFinite: boolean } & Partial<Pick<TrialRay, "f0" | "slope0" | "ft" | "slopeT">>;

/** Why there was no step along the negative gradient either. */
export function noStep({ sawNonFinite, f0 = 0, slope0 = 0, ft = 0, slopeT = 0 }: Failed, gnorm: number): Reason {
  if (ft === Number.NEGATIVE_INFINITY || (slopeT < 0 && ft < f0 - ENDLESS * (Math.abs(f0) + Math.abs(slope0)))) {
    const text = `f falls as far as the negative gradient was followed (${digits(ft)} at the last trial): is it bounded below?`;
    return { kind: "unbounded", converged: false, text };
  }
  if (sawNonFinite) return notFinite("f is not finite at the trial points of the line search, however near they are");
  const text = `the line search found no acceptable step, not even along the negative gradient (norm ${digits(gnorm)})`;
  return { kind: "search-failed", converged: false, text };
}
