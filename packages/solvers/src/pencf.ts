import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type AugmentedBbOptions, augmentedBb } from "./barzilai-borwein/augmented-bb.js";
import { restoring } from "./restoring.js";

/**
 * PenCF, the first-order method of the penalty with compact constraints [Xiao, Liu, Yuan 2022]: over the ball ‖X‖ ≤ 1.001√p
 *
 *     X₊ = X − η·D,   D = ∇f − X·S + β·X·K,
 *
 * the gradient of h(X) = f − ½⟨S, K⟩ + β/4‖K‖² without the terms that need ∇²f; a normal step where ‖K‖ > 0.1.
 */
export function pencf(E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions = {}): Solver {
  const geometry = restoring(E, f.n, f.p, { above: 0.1, ball: 1.001, on: o.on });
  return augmentedBb(E, f, X0, o, { geometry, first: 0.01, steps: { warmup: 3 } });
}
