import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type AugmentedBbOptions, augmentedBb } from "./barzilai-borwein/augmented-bb.js";
import { restoring } from "./restoring.js";

/**
 * PLAM, the parallelizable augmented Lagrangian method [Gao, Liu, Yuan, SIAM J. Sci. Comput. 41, 2019]:
 *
 *     X₊ = X − η·D,   D = ∇f − X·S + β·X·K,   S = sym(Xᵀ∇f),   K = XᵀX − I,
 *
 * with alternating Barzilai–Borwein steps η. Departures: the paper takes every step, and diverges on nonlinear eigenvalue problems; so
 * steps pass search/tolerant.ts, a normal step follows where ‖K‖ > 0.9, and ‖X‖ ≤ 2√p. β is that of augmented-bb.ts.
 */
export function plam(E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions = {}): Solver {
  const geometry = restoring(E, f.n, f.p, { above: 0.9, ball: 2, on: o.on });
  return augmentedBb(E, f, X0, o, { geometry, first: 0.1, steps: { warmup: 3 } });
}
