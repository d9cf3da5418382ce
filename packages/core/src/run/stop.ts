/** The rules for stopping that every run has: pure functions of the state, composed with `any` */

import type { Engine } from "@expen/linalg";
import { digits } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { ReasonKind, State, Stop } from "../contracts/method.js";

/** Stops where the state is such */
export const rule =
  (kind: ReasonKind, converged: boolean, holds: (s: State) => boolean, text: (s: State) => string): Stop =>
  (s) =>
    holds(s) ? { kind, converged, text: text(s) } : undefined;

/** A limit on the cost of a run */
export const limit = (kind: ReasonKind, holds: (s: State) => boolean, phrase: (s: State) => string): Stop =>
  rule(kind, false, holds, (s) => `stopped after ${phrase(s)}, gradient norm ${digits(s.gnorm)}`);

/** ‖g‖ ≤ tol */
export const gradientBelow = (tol: number): Stop =>
  rule(
    "gradient",
    true,
    (s) => s.gnorm <= tol,
    (s) =>
      tol < Number.POSITIVE_INFINITY
        ? `gradient norm ${digits(s.gnorm)} ≤ ${digits(tol)}`
        : "feasible points have no directions to move in: each is stationary",
  );

/** ‖g‖ ≤ `bound`, the roundoff of a zero gradient, above the tolerance `requested` */
export const roundingBelow = (bound: number, requested: number): Stop =>
  rule(
    "rounding",
    true,
    (s) => s.gnorm <= bound,
    (s) => {
      const sentence = `gradient norm ${digits(s.gnorm)} ≤ ${digits(bound)}, 4ε of the gradient at the start`;
      return `${sentence}: rounding reaches no tolerance of ${digits(requested)}`;
    },
  );

/** `before`: iterations of earlier rounds, which count */
export const iterations = (most: number, before = 0): Stop =>
  limit(
    "iterations",
    (s) => before + s.k >= most,
    (s) => `${before + s.k} iterations`,
  );

/** Stops if one of the rules does, with its reason. */
export const any =
  (...rules: Stop[]): Stop =>
  (s) => {
    for (const rule of rules) {
      const reason = rule(s);
      if (reason) return reason;
    }
    return undefined;
  };

/**
 * ‖X‖ far above √p: the iterates run away from the manifold. As X_0 is feasible, ‖X_k‖ ≤ ‖X_0‖ + Σ‖X_i − X_{i−1}‖; ‖X‖ costs a sum over
 * processes, so it is computed only where this bound is large.
 */
export function runningAway(E: Engine, { longestStep: scale }: Constraint): Stop {
  const far = 10 * scale;
  let bound = scale;
  return (s) => {
    bound += s.step;
    if (bound <= far) return undefined;
    const norm = Math.sqrt(E.dot(s.X, s.X));
    bound = norm;
    if (norm <= far) return undefined;
    const where = `the iterates run away from the manifold (‖X‖ = ${digits(norm)}, √p = ${digits(scale)})`;
    const text = `${where}; the penalty is unbounded below there: use beta auto`;
    return { kind: "unbounded", converged: false, text };
  };
}
