import type { Space, Tall } from "@expen/linalg";
import type { Geometry, Precondition } from "../../contracts/method.js";
import type { Point } from "../../contracts/point.js";
import { plainPoint } from "../../manifolds/point.js";

/**
 * Z ← Π·P·Πᵀ·G for the projector Π to the tangent space at X: of a symmetric P this is symmetric there. Gradients are projected by Πᵀ,
 * which is Π itself where XᵀX = I, and `direct` makes tangent vectors where it is not. Holds one n×p matrix, three
 * where B ≠ I.
 */
export function onTangentSpace(
  E: Space,
  n: number,
  p: number,
  { points, project, direct }: Pick<Geometry, "points" | "project" | "direct">,
  precondition: Precondition,
): Precondition {
  const W = E.tall(n, p);
  /** X with B·X, which a preconditioner in ℝⁿˣᵖ knows nothing of */
  const own = points?.point();
  const at = (X: Tall): Point => {
    if (!points || !own) return plainPoint(X);
    E.copy(own.X, X);
    points.update(own);
    return own;
  };
  return (Z, X, G) => {
    const x = at(X);
    E.copy(W, G);
    project(W, x);
    precondition(Z, X, W);
    if (!direct) return project(Z, x);
    direct(W, x, Z);
    E.copy(Z, W);
  };
}
