import type { Space } from "../space.js";
import type { Geometry } from "../types.js";

/** ℝⁿˣᵖ itself: a ray is a straight line and every direction is tangent. */
export function euclidean(E: Space): Geometry {
  return {
    name: "euclidean",
    retract: (y, x, t, D) => E.combine(y.X, 1, x.X, t, D),
    project() {},
    hessian() {},
  };
}
