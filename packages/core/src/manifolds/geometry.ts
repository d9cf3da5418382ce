import type { Engine, Small } from "@expen/linalg";
import { chosenOptions, func, oneOf, type SchemaOf } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Geometry } from "../contracts/method.js";
import { pointOf } from "./point.js";
import { type Retract, type RetractionName, retraction, retractions } from "./retractions.js";
import { unitMetric } from "./stiefel.js";

export { type RetractionName, retractions };

/** A manifold that shows the multiplier its last projection removed. */
export interface StiefelGeometry extends Geometry {
  /** sym(XᵀZ) of the last `project(Z, x)`: the multiplier at X, where Z was ∇f(X) */
  readonly S: Small;
}

interface StiefelGeometryOptions {
  retraction?: RetractionName;
  retract?: Retract;
}

const SCHEMA: SchemaOf<StiefelGeometryOptions> = { retraction: oneOf(Object.keys(retractions)), retract: func };

/** XᵀX = I with a retraction of its own, by name or as a function */
export function stiefel(E: Engine, n: number, p: number, options: StiefelGeometryOptions = {}): StiefelGeometry {
  const o: StiefelGeometryOptions = chosenOptions("stiefelGeometry", options, SCHEMA);
  const { retraction: name = "qr", retract = retractions[name](E, n, p) } = o;
  return geometryOn(E, { ...unitMetric(E, n, p), name: "stiefel", traits: { orthonormal: true } }, retraction(retract));
}

/** A constraint without its own ways back */
type Local = Omit<Constraint, "restore" | "project" | "random" | "dimension">;

/**
 * The manifold of a constraint and a way to move on it: P_x makes gradients of Euclidean ones (`project`) and moves vectors to another
 * tangent space (`transport`).
 */
export function geometryOn(E: Engine, on: Local, retract: Geometry["retract"]): StiefelGeometry {
  const { p } = on.shape;
  const { dissolver } = on;
  const S = E.small(p, p);
  const { metric } = on.traits;
  /** directions with B·D */
  const along = pointOf(E, on);
  return {
    name: on.name,
    S,
    points: metric && { point: on.point, update: on.update },
    retract,
    // S stays what the last gradient left there
    transport: (Z, x) => dissolver.tangent(Z, x),
    project: (Z, x) => dissolver.tangent(Z, x, S),
    direct: metric && ((J, x, D) => dissolver.direction(J, x, along(D))),
    hessian(H, D, x, G) {
      dissolver.S(S, x, G);
      dissolver.hessian(H, along(D), x, S);
    },
  };
}
