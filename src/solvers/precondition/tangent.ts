import type { Space } from "../../space.js";
import type { Geometry, Precondition } from "../../types.js";

/**
 * Z ← Π·P·Πᵀ·G for the projector Π to the tangent space at X: of a symmetric P this is symmetric there. Gradients are projected by Πᵀ,
 * which is Π itself where XᵀX = I, and `direct` makes tangent vectors where it is not. Holds one n×p matrix.
 */
export function onTangentSpace(
  E: Space,
  n: number,
  p: number,
  { project, direct }: Pick<Geometry, "project" | "direct">,
  precondition: Precondition,
): Precondition {
  const W = E.tall(n, p);
  return (Z, X, G) => {
    E.copy(W, G);
    project(W, X);
    precondition(Z, X, W);
    if (!direct) return project(Z, X);
    direct(W, X, Z);
    E.copy(Z, W);
  };
}
