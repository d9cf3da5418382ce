/** Points of constraints: matrices that others own, and rounding */

import type { Engine, Tall } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
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

/** X ↦ ‖K(X)‖ */
export function violationOf(E: Engine, on: Constraint): (X: Tall) => number {
  const K = E.small(on.shape.p, on.shape.p);
  const at = pointOf(E, on);
  return (X) => on.dissolver.K(K, at(X));
}

/** Roundoff of ‖K(x)‖ by the products with B: √n·ε·‖B‖·‖X‖², sums of n terms of random signs; 0 where B = I */
export function roundingOf(E: Engine, on: Constraint, { X }: Pick<Point, "X">): number {
  const { metric, parts } = on.traits;
  if (!metric) return 0;
  if (!parts) return Math.sqrt(on.shape.n) * EPS * metric.norm * E.dot(X, X);
  const xs = parts.of(X);
  return Math.hypot(...parts.list.map((part, i) => roundingOf(part.E, part.on, { X: xs[i]! })));
}
