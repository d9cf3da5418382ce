import type { Objective, Solver } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type FeasibleBbOptions, feasibleBb } from "./barzilai-borwein/feasible-bb.js";
import { daiZhang } from "./search/dai-zhang.js";

export interface JiangDaiOptions extends FeasibleBbOptions {
  /** weight of the part XΩ of the gradient: ½ for the canonical metric, ¼ for the Euclidean one */
  rho?: number;
}

/**
 * The adaptive feasible Barzilai–Borwein method of Jiang and Dai (Math. Program. 153, 2015), along their constraint-preserving curve
 *
 *     Y(τ) = (2X + τW)·J(τ)⁻¹ − X,   J(τ) = I + τ²/4·WᵀW + τ/2·XᵀD_ρ,   W = −(I − XXᵀ)D_ρ,   Y'(0) = −D_ρ,
 *
 * with Barzilai–Borwein steps and the search of Dai and Zhang. For D = −D_ρ this is the Cayley curve of curves/cayley.ts. One departure:
 * t·‖D‖ ≤ 1000, as Y(τ) has a limit for τ → ∞ and longer steps change it little.
 */
export function jiangDai(E: Engine, f: Objective, X0: Tall, o: JiangDaiOptions = {}): Solver {
  return feasibleBb(
    E,
    f,
    X0,
    { ...o, retraction: "cayley" },
    { search: daiZhang(), first: (dnorm) => 1 / dnorm, min: 1e-15, max: 1e15 },
  );
}
