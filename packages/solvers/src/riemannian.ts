import type { Objective, Where } from "@expen/core";
import { riemannian, type StiefelGeometry, stiefelGeometry } from "@expen/core/methods";
import type { Engine } from "@expen/linalg";
import type { RetractionName } from "./curves/retraction-names.js";
import { retractions } from "./curves/retractions.js";

/** Options of Riemannian methods */
export interface RiemannianOptions extends Where {
  retraction: RetractionName;
}

/** The geometry of orthonormal columns with the retraction of that name, or that of another constraint with its own retraction. */
export function geometryOf(E: Engine, { n, p }: Objective, { on, retraction }: RiemannianOptions): StiefelGeometry {
  return on && !on.traits.orthonormal
    ? riemannian(E, on)
    : stiefelGeometry(E, n, p, { retract: retractions[retraction](E, n, p) });
}
