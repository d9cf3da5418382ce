import type { Engine, Tall } from "@expen/linalg";
import type { BlockEngine, ComplexBlockEngine } from "@expen/linalg/algebras";
import { determinantSign } from "@expen/linalg/arrays";
import type { Blocks, Constraint, Traits } from "../contracts/constraint.js";
import { blockReflections } from "./block-reflections.js";
import { acrossSpan, randomRotation } from "./grassmann.js";

import { unitMetric } from "./stiefel.js";
import { randomBy, waysBack } from "./ways-back.js";

/** The manifolds of orthonormal columns, of which powers are known */
export type PowerOf = "stiefel" | "sphere" | "grassmann" | "special-orthogonal";

/**
 * k points of one manifold of orthonormal columns: the formulas of the Stiefel manifold on an engine of blocks, of
 * linalg/src/algebras/blocks.ts, K = (X_iᵀX_i − I)_i. Both ways back are polar factors block by block.
 */
export function powerConstraint(E: BlockEngine, of: PowerOf, dimensionOfOne: number): Constraint {
  const { k, n, p } = E.blocks;
  const [rows, columns] = [n, k * p];
  const unit = unitMetric(E, rows, columns);
  const rotations = of === "special-orthogonal";
  const project: Constraint["project"] = (y, Z) => E.polar(y.X, Z, rotations);
  const blocks: Blocks = { k, n, p, dots: E.blockDots, add: E.blockAdd };
  const traits: Traits = { orthonormal: false, coordinates: "blocks", blocks };
  const on: Constraint = {
    ...unit,
    name: `power of ${of}`,
    dimension: k * dimensionOfOne,
    traits: {
      ...traits,
      ...(rotations && { inComponent: (X: Tall) => areRotations(E, X) }),
      ...(n === p && of === "stiefel" && { reflections: blockReflections(E) }),
    },
    restore: (y, Z) => void project(y, Z),
    project,
    random: randomBy(E, project),
  };
  return of === "grassmann" ? subspaces(E, on, "under X_i → X_iQ_i") : on;
}

/** The manifolds of complex orthonormal columns, of which powers are known */
export type ComplexPowerOf = "complex-stiefel" | "complex-sphere" | "complex-grassmann";

/** The same of complex ones: K = (X_iᴴX_i − I)_i */
export function complexPowerConstraint(E: ComplexBlockEngine, of: ComplexPowerOf, dimensionOfOne: number): Constraint {
  const { k, n, p } = E.blocks;
  const unit = unitMetric(E, n, k * p);
  const blocks: Blocks = { k, n, p, dots: E.blockDots, add: E.blockAdd };
  const on: Constraint = {
    ...unit,
    name: `power of ${of}`,
    dimension: k * dimensionOfOne,
    traits: { orthonormal: false, coordinates: "blocks", blocks },
    ...waysBack(E, unit),
  };
  return of === "complex-grassmann" ? subspaces(E, on, "under X_i → X_iU_i") : on;
}

/** For an f that does not change where a point takes another basis of its columns */
function subspaces(E: Engine, on: Constraint, text: string): Constraint {
  const turn = (Y: Tall, X: Tall): void => E.mul(Y, X, randomRotation(E, on.shape.p));
  return { ...on, traits: { ...on.traits, quotient: { text, turn, across: acrossSpan(E, on.shape.p), without: on } } };
}

function areRotations(E: BlockEngine, X: Tall): boolean {
  const { n } = E.blocks;
  const numbers = E.read(X);
  for (let at = 0; at < numbers.length; at += n * n) {
    if (determinantSign(numbers.slice(at, at + n * n), n) < 0) return false;
  }
  return true;
}
