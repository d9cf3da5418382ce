import { approximatePolar } from "../linalg/polar.js";
import type { Engine } from "../types.js";
import { type StiefelGeometry, stiefel } from "./stiefel.js";

/** ‖XᵀX − I‖ from which the dissolving map is applied a last time: it leaves ¾ of its square. */
const DISSOLVED = 1e-5;

/**
 * The Stiefel manifold with the dissolving map A(X) = X(3/2·I − ½XᵀX) of ExPen, iterated, as its retraction,
 *
 *     Y = A(A(…(X + tD))) = (X + tD)·Z,   Z = Π(I − ½K_i)   (p×p work, linalg/inverse-root.ts),
 *
 * for any D, tangent or not, and without transport: A maps a neighbourhood of the manifold onto it, and vectors of ℝⁿˣᵖ stay as they are.
 */
export function dissolving(E: Engine, n: number, p: number): StiefelGeometry {
  const restore = approximatePolar(E, n, p, DISSOLVED);
  const Z = E.tall(n, p);
  const retract: StiefelGeometry["retract"] = (Y, X, t, D) => {
    E.combine(Z, 1, X, t, D);
    restore(Y, Z);
  };
  const { S, project, hessian } = stiefel(E, n, p, { retract });
  return { name: "dissolving", S, retract, project, hessian };
}
