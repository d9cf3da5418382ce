/** Points of constraints: matrices that others own */

import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";

/** A new point where B = I: X and BX are one matrix. */
export function plainPoint(X: Tall): Point {
  return { X, BX: X };
}

/**
 * X ↦ its point, one at a time: for who gets X alone, as an objective does. Where B ≠ I each call takes a product with B, and BX lies in
 * scratch of this function.
 */
export function pointOf(E: Engine, on: Pick<Constraint, "shape" | "traits" | "point" | "update">): (X: Tall) => Point {
  const { metric, parts } = on.traits;
  if (!metric) return plainPoint;
  if (parts) {
    // those with B = I have one matrix for X and BX
    const own = on.point();
    return (X) => {
      E.copy(own.X, X);
      on.update(own);
      return own;
    };
  }
  const BX = E.tall(on.shape.n, on.shape.p);
  return (X) => {
    const x = { X, BX };
    on.update(x);
    return x;
  };
}
