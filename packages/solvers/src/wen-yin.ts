import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type FeasibleBbOptions, feasibleBb } from "./barzilai-borwein/feasible-bb.js";
import type { RetractionName } from "./curves/retraction-names.js";
import { nonmonotone } from "./search/armijo.js";

export interface WenYinOptions extends FeasibleBbOptions {
  retraction?: RetractionName;
}

/**
 * The curvilinear search of Wen and Yin (Math. Program. 142, 2013), with the constants of their program OptStiefelGBB: along the curve
 *
 *     Y(τ) = (I + τ/2·A)⁻¹(I − τ/2·A)X,   A = ∇f·Xᵀ − X·∇fᵀ,   Y'(0) = −∇_c = −(∇f − X∇fᵀX),
 *
 * or along another retraction, with alternating Barzilai–Borwein steps and the nonmonotone search of Zhang and Hager. Departures from the
 * program: it accepts its fifth trial in any case, whereas here backtracking continues (search/armijo.ts), and t·‖D‖ ≤ 1000.
 */
export function wenYin(E: Engine, f: Objective, X0: Tall, { retraction = "cayley", ...o }: WenYinOptions = {}): Solver {
  return feasibleBb(
    E,
    f,
    X0,
    { ...o, retraction },
    { search: nonmonotone({ c: 1e-4, shrink: 0.1, gamma: 0.85 }), first: () => 1e-3 },
  );
}
