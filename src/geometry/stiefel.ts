import type { Constraint } from "../constraints/constraint.js";
import { type Retract, type RetractionName, retractions } from "../constraints/stiefel/retractions.js";
import { stiefelConstraint } from "../constraints/stiefel.js";
import { chosenOptions, constraint, func, oneOf, type SchemaOf } from "../options.js";
import type { Engine, Geometry, Small } from "../types.js";

export { type RetractionName, retractions };

/** The Stiefel manifold that shows what its last projection removed. */
export interface StiefelGeometry extends Geometry {
  /** sym(XᵀZ) of the last `project(Z, X)`: the multiplier at X, where Z was ∇f(X) */
  readonly S: Small;
}

interface StiefelGeometryOptions {
  on?: Constraint | undefined;
  retraction?: RetractionName;
  retract?: Retract;
}

const SCHEMA: SchemaOf<StiefelGeometryOptions> = {
  on: constraint,
  retraction: oneOf(Object.keys(retractions)),
  retract: func,
};

/**
 * The manifold of a constraint, XᵀX = I if nothing else is said, and a way to move on it: P_X makes gradients of Euclidean
 * ones (`project`) and moves vectors to another tangent space (`transport`).
 */
export function stiefel(E: Engine, n: number, p: number, given: StiefelGeometryOptions = {}): StiefelGeometry {
  const o: StiefelGeometryOptions = chosenOptions("stiefelGeometry", given, SCHEMA);
  const { on = stiefelConstraint(E, n, p), retraction = "qr", retract = retractions[retraction](E, n, p) } = o;
  const S = E.small(p, p);
  return {
    name: on.name,
    S,
    retract,
    // S stays what the last gradient left there
    transport: (Z, X) => on.tangent(Z, X),
    project: (Z, X) => on.tangent(Z, X, S),
    direct: on.direction,
    hessian(H, D, X, G) {
      on.multiplier(S, X, G);
      on.hessian(H, D, X, S);
    },
  };
}
