import type { Engine, Tall } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { pointOf } from "./point.js";

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
