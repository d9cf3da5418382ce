import { noEvaluations } from "../objective.js";
import type { Evaluations, Matrix, Reason, State } from "../types.js";

export function newState(X: Matrix, f: number, gnorm: number, evaluations: Evaluations = noEvaluations()): State {
  return { k: 0, X, f, gnorm, gnormMax: gnorm, step: 0, decrease: 0, seconds: 0, evaluations };
}

/** One accepted step more. */
export function advance(s: State, X: Matrix, f: number, gnorm: number, step: number): void {
  s.k++;
  s.decrease = s.f - f;
  s.X = X;
  s.f = f;
  s.gnorm = gnorm;
  if (gnorm > s.gnormMax) s.gnormMax = gnorm;
  s.step = step;
}

export const notFinite = (what: string): Reason => ({ kind: "not-finite", converged: false, text: what });

export const searchFailed = (gnorm: number): Reason => ({
  kind: "search-failed",
  converged: false,
  text: `the line search found no acceptable step, not even along the negative gradient (norm ${gnorm.toPrecision(3)})`,
});
