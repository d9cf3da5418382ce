import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { symmetricPartRemover } from "./symmetric-part.js";

/**
 * Z ↦ its orthogonal projection to the directions that count at a feasible x. For B = I these are the tangent space, for B ≠ I the space of
 * the gradients 𝒥ᵀ(G), for a quotient those that lead to other classes.
 */
export function tangentProjector(E: Engine, on: Constraint, x: Point): (Z: Tall) => void {
  const { metric, quotient, parts } = on.traits;
  if (parts) {
    const [xs, bxs] = [parts.of(x.X), parts.of(x.BX)];
    const projectors = parts.list.map(({ E, on }, i) => tangentProjector(E, on, { X: xs[i]!, BX: bxs[i]! }));
    return (Z) => {
      for (const [i, z] of parts.of(Z).entries()) projectors[i]!(z);
    };
  }
  const { p } = on.shape;
  if (metric) return symmetricPartRemover(E, p, x.X);
  return (Z) => (quotient ? quotient.across(Z, x) : on.dissolver.tangent(Z, x));
}
