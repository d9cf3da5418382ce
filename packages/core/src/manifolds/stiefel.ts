import type { Engine } from "@expen/linalg";
import { requireNoMore } from "@expen/linalg";
import { approximatePolar, orthonormalizer, polar } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Manifold } from "../contracts/manifold.js";
import { dissolver } from "./dissolver.js";
import { plainPoint } from "./point.js";
import { real } from "./real.js";
import { determinantReflection } from "./reflections.js";
import { requireColumns } from "./requirements.js";
import { DISSOLVED } from "./ways-back.js";

type UnitMetric = Pick<Constraint, "shape" | "size" | "longestStep" | "dissolver" | "point" | "update">;

/** Points and sizes of XᵀX = I in any algebra: B = I, so that X and BX are one matrix. */
export function unitMetric(E: Engine, n: number, p: number): UnitMetric {
  return {
    shape: { n, p },
    size: Math.sqrt(p),
    longestStep: Math.sqrt(p),
    dissolver: dissolver(E, p),
    point: (X = E.tall(n, p)) => plainPoint(X),
    update() {},
  };
}

/**
 * Orthonormal columns, the Stiefel manifold with the metric of ℝⁿˣᵖ. `restore` iterates A by small matrices and one tall product
 * (linalg/src/dense/polar.ts), `project` takes the polar factor.
 */
export function stiefelConstraint(E: Engine, n: number, p: number): Constraint {
  const nearby = approximatePolar(E, n, p);
  const nearest = polar(E, n, p, nearby);
  return {
    ...unitMetric(E, n, p),
    name: "stiefel",
    dimension: n * p - (p * (p + 1)) / 2,
    traits: {
      orthonormal: true,
      coordinates: "basis",
      ...(n === p && { reflections: [determinantReflection(E, p)] }),
    },
    restore: (y, Z, tolerance = DISSOLVED) => void nearby(y.X, Z, tolerance),
    project: (y, Z) => nearest(y.X, Z),
    random(y, r) {
      const Z = E.tall(n, p);
      E.write(Z, r.normal);
      orthonormalizer(E, n, p, Z)(y.X, Z);
    },
  };
}

/** Orthonormal columns, XᵀX = I */
export function stiefel(n: number, p: number, ...more: never[]): Manifold {
  requireNoMore("stiefel(n, p)", more);
  requireColumns("stiefel", n, p);
  return real(`stiefel(${n}, ${p})`, { n, p }, stiefelConstraint);
}
