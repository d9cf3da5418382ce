import { weightedStiefel } from "../geometry/canonical.js";
import { retractions } from "../geometry/stiefel.js";
import { daiZhang } from "../search/dai-zhang.js";
import type { Engine, Evaluations, Matrix, Objective, Solver } from "../types.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

export interface JiangDaiOptions {
  /** weight of the part along X in the gradient: ½ the canonical metric, ¼ the Euclidean one */
  rho?: number;
  evaluations?: Evaluations | undefined;
}

/**
 * The constraint-preserving update of Jiang and Dai (Math. Prog. 153, 2015) with their adaptive feasible BB method: along
 *
 *     Y(τ) = (2X + τW)·J(τ)⁻¹ − X,   J(τ) = I + τ²/4·WᵀW + τ/2·XᵀD_ρ,   W = −(I − XXᵀ)D_ρ,   Y'(0) = −D_ρ,
 *
 * with Barzilai–Borwein steps, the rule "cyclic", and the search of Dai and Zhang. For D = −D_ρ this curve is the Cayley curve (geometry/cayley.ts).
 */
export function jiangDai(
  E: Engine,
  f: Objective,
  X0: Matrix,
  { rho = 1 / 2, evaluations }: JiangDaiOptions = {},
): Solver {
  const geometry = weightedStiefel(E, f.p, retractions.cayley(E, f.n, f.p), rho);
  return barzilaiBorwein(E, {
    rule: "cyclic",
    search: daiZhang(),
    first: (dnorm) => 1 / dnorm,
    min: 1e-15,
    max: 1e15,
    limit: (dnorm) => 1e3 / dnorm,
    shown: geometry.euclideanNorm,
    rate: geometry.rate,
  })(trialRay(E, f, geometry, X0, evaluations));
}
