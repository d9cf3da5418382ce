import type { Space } from "@expen/linalg";
import type { Geometry } from "../contracts/method.js";

/** ℝⁿˣᵖ itself: a ray is a straight line and every direction is tangent. */
export function euclidean(E: Space): Geometry {
  return {
    name: "euclidean",
    retract: (y, x, t, D) => E.combine(y.X, 1, x.X, t, D),
    project() {},
    hessian() {},
  };
}
