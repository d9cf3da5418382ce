import type { Engine } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import { freeDissolver } from "./free-dissolver.js";
import { plainPoint } from "./point.js";

/** No constraint */
export function euclideanConstraint(E: Engine, n: number, p: number): Constraint {
  return {
    name: "euclidean",
    shape: { n, p },
    dimension: n * p,
    size: Math.sqrt(n * p),
    longestStep: Number.POSITIVE_INFINITY,
    traits: { orthonormal: false, coordinates: "free" },
    dissolver: freeDissolver(E),
    point: (X = E.tall(n, p)) => plainPoint(X),
    update() {},
    restore: (y, Z) => E.copy(y.X, Z),
    project(y, Z) {
      E.copy(y.X, Z);
      return p;
    },
    random: (y, r) => E.write(y.X, r.normal),
  };
}
