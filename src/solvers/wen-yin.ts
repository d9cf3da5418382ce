import { weightedStiefel } from "../geometry/canonical.js";
import { type RetractionName, retractions } from "../geometry/stiefel.js";
import { nonmonotone } from "../search/armijo.js";
import type { Engine, Evaluations, Matrix, Objective, Solver } from "../types.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

export interface WenYinOptions {
  retraction?: RetractionName;
  evaluations?: Evaluations | undefined;
}

/**
 * The curvilinear search of Wen and Yin (Math. Prog. 142, 2013), OptStiefelGBB: along the Cayley curve
 *
 *     Y(τ) = (I + τ/2·A)⁻¹(I − τ/2·A)X,   A = ∇f·Xᵀ − X·∇fᵀ,   Y'(0) = −∇_c = −(∇f − X∇fᵀX),
 *
 * or along Q of X − τ∇_c, with Barzilai–Borwein steps, the rule "cyclic", and the nonmonotone reference of Zhang and Hager.
 */
export function wenYin(
  E: Engine,
  f: Objective,
  X0: Matrix,
  { retraction = "cayley", evaluations }: WenYinOptions = {},
): Solver {
  const geometry = weightedStiefel(E, f.p, retractions[retraction](E, f.n, f.p));
  return barzilaiBorwein(E, {
    rule: "cyclic",
    search: nonmonotone({ c: 1e-4, shrink: 0.1, gamma: 0.85 }),
    first: () => 1e-3,
    limit: (dnorm) => 1e3 / dnorm,
    shown: geometry.euclideanNorm,
    rate: geometry.rate,
  })(trialRay(E, f, geometry, X0, evaluations));
}
