import type { Constraint, Geometry } from "@expen/core";
import { normalStep, pointOf, stiefelConstraint } from "@expen/core";
import type { Engine } from "@expen/linalg";

interface RestoringOptions {
  /** a normal step follows where ‖XᵀX − I‖ is above this */
  above?: number;
  /** normal steps are repeated, at most ten times, until one starts with ‖XᵀX − I‖ below this */
  below?: number;
  /** ‖X‖ ≤ ball·√p, where feasible points are bounded: a point outside is scaled to this norm */
  ball?: number;
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
}

/**
 * The step of an infeasible method, Y ← X + tD, followed by a normal step where ‖YᵀY − I‖ > above and by a projection to the ball.
 * `project` does nothing, as the objective gives the field to follow.
 */
export function restoring(
  E: Engine,
  n: number,
  p: number,
  {
    above = 0.1,
    below = Number.POSITIVE_INFINITY,
    ball = Number.POSITIVE_INFINITY,
    on = stiefelConstraint(E, n, p),
  }: RestoringOptions = {},
): Geometry {
  const approach = normalStep(E, p, on.dissolver);
  const at = pointOf(E, on);
  const Z = E.tall(n, p);
  const radius = ball * on.longestStep;
  return {
    name: "restoring",
    retract({ X: Y }, x, t, D) {
      E.combine(Z, 1, x.X, t, D);
      for (let i = 0; approach(Y, at(Z), above) > below && i < 10; i++) E.copy(Z, Y);
      if (radius === Number.POSITIVE_INFINITY) return;
      const norm = Math.sqrt(E.dot(Y, Y));
      if (norm > radius) E.combine(Y, radius / norm, Y, 0, Y);
    },
    project() {},
    hessian() {},
  };
}
