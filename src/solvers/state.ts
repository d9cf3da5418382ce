import { digits } from "../numbers.js";
import type { Reason, State } from "../types.js";
import type { TrialRay } from "./ray.js";

export function newState({ X, f, evaluations }: Pick<TrialRay, "X" | "f" | "evaluations">, gnorm: number): State {
  return { k: 0, X, f, gnorm, gnormMax: gnorm, step: 0, decrease: 0, seconds: 0, evaluations };
}

/** The state of an earlier run at the start of the next. */
export function restarted(s: State, { X, f }: Pick<TrialRay, "X" | "f">): void {
  s.k = 0;
  s.X = X;
  s.f = f;
  s.gnormMax = s.gnorm;
  s.step = s.decrease = 0;
}

/** One accepted step more, to the point (X, f). */
export function advance(s: State, to: Pick<TrialRay, "X" | "f">, gnorm: number, step: number): void {
  s.gnorm = gnorm;
  s.step = step;
  advanced(s, to);
}

/** The same where gnorm and step are written already. */
export function advanced(s: State, { X, f }: Pick<TrialRay, "X" | "f">): void {
  s.k++;
  s.decrease = s.f - f;
  s.X = X;
  s.f = f;
  if (s.gnorm > s.gnormMax) s.gnormMax = s.gnorm;
}

export const notFinite = (what: string): Reason => ({ kind: "not-finite", converged: false, text: what });

export const roundingFloor = (gnorm: number): Reason => ({
  kind: "rounding",
  converged: true,
  text: `rounding floor: the gradient norm does not fall below ${digits(gnorm)}`,
});

/** Why there was no step along the negative gradient either. */
export const noStep = (ray: { sawNonFinite: boolean }, gnorm: number): Reason =>
  ray.sawNonFinite
    ? notFinite("f is not finite at the trial points of the line search, however near they are")
    : {
        kind: "search-failed",
        converged: false,
        text: `the line search found no acceptable step, not even along the negative gradient (norm ${digits(gnorm)})`,
      };
