import { restoring } from "../geometry/restoring.js";
import { augmented, penaltyField } from "../penalty/augmented.js";
import { paperBeta } from "../penalty/beta.js";
import { tolerant } from "../search/tolerant.js";
import type { Engine, Evaluations, Matrix, Objective, Solver } from "../types.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

export interface PlamOptions {
  beta?: number | undefined;
  evaluations?: Evaluations | undefined;
}

/**
 * PLAM, the parallelizable augmented Lagrangian method without column normalisation [Gao, Liu, Yuan 2019]:
 *
 *     X₊ = X − η·D,   D = ∇f − X·S + β·X·K,   S = sym(Xᵀ∇f),   K = XᵀX − I,
 *
 * η by the short Barzilai–Borwein rule (the long and the alternating ones diverge on noeig). Products only: no factorization at all.
 */
export function plam(
  E: Engine,
  f: Objective,
  X0: Matrix,
  { beta = paperBeta(E, f, X0), evaluations }: PlamOptions = {},
): Solver {
  const h = augmented(E, f, beta, penaltyField(E, f.p, beta));
  const ray = trialRay(E, h, restoring(E, f.n, f.p, { above: 0.9, ball: 2 }), X0, evaluations);
  return barzilaiBorwein(E, {
    rule: "short",
    search: tolerant(),
    first: (dnorm) => 0.1 / (dnorm + 10 * beta),
    warmup: 3,
    max: 1e10,
  })(ray);
}
