import { restoring } from "../geometry/restoring.js";
import { augmented, penaltyField } from "../penalty/augmented.js";
import { paperBeta } from "../penalty/beta.js";
import { tolerant } from "../search/tolerant.js";
import type { Engine, Evaluations, Matrix, Objective, Solver } from "../types.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

export interface PencfOptions {
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
export function pencf(
  E: Engine,
  f: Objective,
  X0: Matrix,
  { beta = paperBeta(E, f, X0), evaluations }: PencfOptions = {},
): Solver {
  const h = augmented(E, f, beta, penaltyField(E, f.p, beta));
  const ray = trialRay(E, h, restoring(E, f.n, f.p, { above: 0.1, ball: 1.001 }), X0, evaluations);
  return barzilaiBorwein(E, {
    rule: "short",
    search: tolerant(),
    first: (dnorm) => 0.01 / (dnorm + 10 * beta),
    warmup: 3,
    max: 1e10,
  })(ray);
}
