import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type AugmentedBbOptions, augmentedBb } from "./barzilai-borwein/augmented-bb.js";
import { restoring } from "./restoring.js";

/**
 * PLAM, the parallelizable augmented Lagrangian method without column normalisation [Gao, Liu, Yuan 2019]:
 *
 *     X₊ = X − η·D,   D = ∇f − X·S + β·X·K,   S = sym(Xᵀ∇f),   K = XᵀX − I,
 *
 * η by alternating Barzilai–Borwein rules, which diverge on nonlinear eigenvalue problems without the safeguard of
 * search/tolerant.ts. Products only.
 */
export function plam(E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions = {}): Solver {
  const geometry = restoring(E, f.n, f.p, { above: 0.9, ball: 2, on: o.on });
  return augmentedBb(E, f, X0, o, { geometry, first: 0.1, steps: { warmup: 3 } });
}
