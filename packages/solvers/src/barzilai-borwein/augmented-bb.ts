import type { Constraint, Evaluations, Geometry, Objective, Solver } from "@expen/core";
import { paperBeta } from "@expen/core/expen";
import { trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { type Augmented, augmented, type Field, penaltyField } from "../augmented.js";
import { tolerant } from "../search/tolerant.js";
import { adaptedBeta } from "./adapted-beta.js";
import { type BbOptions, barzilaiBorwein } from "./barzilai-borwein.js";

/** Options of plam, pcal and pencf. */
export interface AugmentedBbOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  /** left out: `paperBeta` at the start, then that of adapted-beta.ts */
  beta?: number;
  evaluations?: Evaluations;
}

/** The parts in which plam, pcal and pencf differ. */
export interface AugmentedBbParts {
  /** the map from X and a step to the next point */
  geometry: Geometry;
  /** the first steps are η = first/(‖D‖ + 10β) */
  first: number;
  /** left out: ∇f − X·S + β·X·K */
  field?: Field;
  steps?: Pick<BbOptions, "rule" | "warmup" | "min">;
}

/**
 * Barzilai–Borwein steps X₊ = X − η·D along a field D of the augmented Lagrangian (augmented.ts), safeguarded by search/tolerant.ts.
 * The papers leave β to the user; without one it is adapted here.
 */
export function augmentedBb(
  E: Engine,
  f: Objective,
  X0: Tall,
  { on, beta, evaluations }: AugmentedBbOptions,
  { geometry, first, field = penaltyField(E, f.p), steps }: AugmentedBbParts,
): Solver {
  const h: Augmented = augmented(E, f, beta ?? paperBeta(E, f, X0), field, on);
  const ray = trialRay(E, h, geometry, X0, evaluations);
  const method = barzilaiBorwein(E, {
    search: tolerant(),
    first: (dnorm) => first / (dnorm + 10 * h.beta),
    max: 1e10,
    limit: (dnorm) => h.parts.on.longestStep / dnorm,
    ...steps,
  });
  return beta === undefined ? adaptedBeta(E, h, ray, method) : method(ray);
}
