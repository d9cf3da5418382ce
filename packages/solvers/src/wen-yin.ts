import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type FeasibleBbOptions, feasibleBb } from "./barzilai-borwein/feasible-bb.js";
import type { RetractionName } from "./curves/retractions.js";
import { nonmonotone } from "./search/armijo.js";

export interface WenYinOptions extends FeasibleBbOptions {
  retraction?: RetractionName;
}

/**
 * The curvilinear search of Wen and Yin (Math. Prog. 142, 2013), OptStiefelGBB: along the Cayley curve
 *
 *     Y(τ) = (I + τ/2·A)⁻¹(I − τ/2·A)X,   A = ∇f·Xᵀ − X·∇fᵀ,   Y'(0) = −∇_c = −(∇f − X∇fᵀX),
 *
 * or along Q of X − τ∇_c, with Barzilai–Borwein steps and the nonmonotone reference of Zhang and Hager.
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
