import { restoring } from "../geometry/restoring.js";
import { augmented, penaltyField } from "../penalty/augmented.js";
import { paperBeta } from "../penalty/beta.js";
import { tolerant } from "../search/tolerant.js";
import type { Engine, Evaluations, Matrix, Objective, Solver } from "../types.js";
import { adaptedBeta } from "./adapted-beta.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

export interface PlamOptions {
  /** left out: ‖∇f(X0)‖/10 at first, then as the multiplier needs it */
  beta?: number | undefined;
  evaluations?: Evaluations | undefined;
}

/**
 * PLAM, the parallelizable augmented Lagrangian method without column normalisation [Gao, Liu, Yuan 2019]:
 *
 *     X₊ = X − η·D,   D = ∇f − X·S + β·X·K,   S = sym(Xᵀ∇f),   K = XᵀX − I,
 *
 * η by alternating Barzilai–Borwein rules (which diverge on noeig without the safeguard of search/tolerant.ts). Products only.
 */
export function plam(E: Engine, f: Objective, X0: Matrix, { beta, evaluations }: PlamOptions = {}): Solver {
  const h = augmented(E, f, beta ?? paperBeta(E, f, X0), penaltyField(E, f.p));
  const ray = trialRay(E, h, restoring(E, f.n, f.p, { above: 0.9, ball: 2 }), X0, evaluations);
  const method = barzilaiBorwein(E, {
    search: tolerant(),
    first: (dnorm) => 0.1 / (dnorm + 10 * h.beta),
    warmup: 3,
    max: 1e10,
    limit: (dnorm) => Math.sqrt(f.p) / dnorm,
  });
  return beta === undefined ? adaptedBeta(E, h, ray, method) : method(ray);
}
