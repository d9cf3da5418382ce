import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type AugmentedBbOptions, augmentedBb } from "./barzilai-borwein/augmented-bb.js";
import { restoring } from "./restoring.js";

/**
 * PenCF, the first-order method for the penalty function with compact constraints
 * [Xiao, Liu, Yuan, Optim. Methods Softw. 37, 2022]: over the ball ‖X‖ ≤ 1.001√p
 *
 *     X₊ = the projection to the ball of X − η·D,   D = ∇f − X·S + β·X·K,
 *
 * where D is the gradient of h(X) = f − ½⟨S, K⟩ + β/4‖K‖² without the terms that need ∇²f. Departures: a normal step where ‖K‖ > 0.1,
 * which brings X back to where h is a good model, and the β and search of augmented-bb.ts.
 */
export function pencf(E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions = {}): Solver {
  const geometry = restoring(E, f.n, f.p, { above: 0.1, ball: 1.001, on: o.on });
  return augmentedBb(E, f, X0, o, { geometry, first: 0.01, steps: { warmup: 3 } });
}
