import { restoring } from "../geometry/restoring.js";
import { augmented, penaltyField } from "../penalty/augmented.js";
import { paperBeta } from "../penalty/beta.js";
import { tolerant } from "../search/tolerant.js";
import type { Engine, Evaluations, Matrix, Objective, Solver } from "../types.js";
import { adaptedBeta } from "./adapted-beta.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

export interface PencfOptions {
  /** left out: ‖∇f(X0)‖/10 at first, then as the multiplier needs it */
  beta?: number | undefined;
  evaluations?: Evaluations | undefined;
}

/**
 * PenCF, the first-order method of the penalty with compact constraints [Xiao, Liu, Yuan 2022]: over the ball ‖X‖ ≤ 1.001√p
 *
 *     X₊ = X − η·D,   D = ∇f − X·S + β·X·K,
 *
 * the gradient of h(X) = f − ½⟨S, K⟩ + β/4‖K‖² without the terms that need ∇²f; a normal step where ‖K‖ > 0.1.
 */
export function pencf(E: Engine, f: Objective, X0: Matrix, { beta, evaluations }: PencfOptions = {}): Solver {
  const h = augmented(E, f, beta ?? paperBeta(E, f, X0), penaltyField(E, f.p));
  const ray = trialRay(E, h, restoring(E, f.n, f.p, { above: 0.1, ball: 1.001 }), X0, evaluations);
  const method = barzilaiBorwein(E, {
    search: tolerant(),
    first: (dnorm) => 0.01 / (dnorm + 10 * h.beta),
    warmup: 3,
    max: 1e10,
    limit: (dnorm) => Math.sqrt(f.p) / dnorm,
  });
  return beta === undefined ? adaptedBeta(E, h, ray, method) : method(ray);
}
