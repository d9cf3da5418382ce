import type { Engine } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import { geometryOn, type StiefelGeometry } from "./geometry.js";
import { DISSOLVED } from "./ways-back.js";

/**
 * The manifold of a constraint with its dissolving map A of ExPen, iterated, as the retraction: for XᵀX = I
 *
 *     Y = A(A(…(X + tD))) = (X + tD)·Z,   Z = Π(I − ½K_i)   (p×p work, linalg/src/dense/inverse-root.ts),
 *
 * for any D, tangent or not, and without transport: A maps a neighbourhood of the manifold onto it, and vectors of ℝⁿˣᵖ stay as they are.
 */
export function dissolving(E: Engine, on: Constraint): StiefelGeometry {
  const { transport: _, ...geometry } = riemannian(E, on, DISSOLVED);
  return { ...geometry, name: "dissolving" };
}

/**
 * The same with transport, for Riemannian methods: on any constraint, along the curves A(A(…(X + tD))). To rounding: these methods compare
 * values of f, and what is left of K adds ½⟨S, K⟩ to them.
 */
export function riemannian(E: Engine, on: Constraint, tolerance = 1e-8): StiefelGeometry {
  const { n, p } = on.shape;
  const Z = E.tall(n, p);
  return geometryOn(E, on, (y, x, t, D) => {
    E.combine(Z, 1, x.X, t, D);
    on.restore(y, Z, tolerance);
  });
}
