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
  /** left out: ‖∇f(X0)‖/10 at first, then as the multiplier needs it */
  beta?: number;
  evaluations?: Evaluations;
}

/** What one of these methods has of its own. */
export interface AugmentedBbParts {
  /** how it moves and returns to the manifold */
  geometry: Geometry;
  /** the first steps have the length first/(‖D‖ + 10β) */
  first: number;
  /** D ← the field it follows; left out: ∇f − X·S + β·X·K */
  field?: Field;
  steps?: Pick<BbOptions, "rule" | "warmup" | "min">;
}

/** Barzilai–Borwein steps X₊ = X − η·D along a field D of the augmented Lagrangian (penalty/augmented.ts), under the tolerant search. */
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
