import { restoring } from "../geometry/restoring.js";
import { augmented, type Parts } from "../penalty/augmented.js";
import { paperBeta } from "../penalty/beta.js";
import { nonmonotone } from "../search/armijo.js";
import { tolerant } from "../search/tolerant.js";
import type { Engine, Evaluations, Matrix, Objective, Search, Solver } from "../types.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { trialRay } from "./ray.js";

/** bb: Barzilai–Borwein steps under the safe step; search: the same with an Armijo search on the merit function; constant: one step for all */
export type LandingVariant = "bb" | "search" | "constant";

export interface LandingOptions {
  variant?: LandingVariant;
  /** weight λ of the pull towards the manifold */
  pull?: number;
  /** ‖XᵀX − I‖ is kept below this */
  tube?: number;
  /** the step of the variant "constant" */
  step?: number;
  evaluations?: Evaluations | undefined;
}

/**
 * The landing method [Ablin, Peyré 2022; Ablin, Vary, Gao, Absil 2024]: X₊ = X − η·F without retraction,
 *
 *     F = R + λ·N,   R = skew(∇f·Xᵀ)·X = ½(∇f·XᵀX − X·∇fᵀX),   N = X·(XᵀX − I),   ⟨R, N⟩ = 0,
 *
 * with the safe step: d = ‖XᵀX − I‖ stays ≤ ε for
 *
 *     η ≤ ( b + √(b² + ‖F‖²(ε − d)) )/‖F‖²,  b = λd(1 − d),   and   η ≤ 1/(2λ).
 *
 * On the manifold R is half the canonical gradient; 2‖F‖ is shown, so that a tolerance means what it means elsewhere.
 */
export function landing(
  E: Engine,
  f: Objective,
  X0: Matrix,
  { variant = "bb", pull, tube = 0.5, step, evaluations }: LandingOptions = {},
): Solver {
  const scale = 10 * paperBeta(E, f, X0);
  const lambda = pull ?? 0.001 * scale;
  const h = augmented(E, f, 2 * lambda, landingField(E, f.n, f.p, lambda));
  const ray = trialRay(E, h, restoring(E, f.n, f.p, { above: 0.9 }), X0, evaluations);
  const searches: Record<LandingVariant, () => Search> = {
    bb: tolerant,
    search: nonmonotone,
    constant: () => (ray, t) => (Number.isFinite(ray.at(t)) ? t : 0),
  };
  const fixed = step ?? 0.1 / scale;
  return barzilaiBorwein(E, {
    rule: "short",
    search: searches[variant](),
    first: (dnorm) => (variant === "constant" ? fixed : 0.01 / (dnorm + scale)),
    warmup: variant === "constant" ? Number.POSITIVE_INFINITY : 3,
    max: 1e10,
    limit: (fnorm) => safeStep(fnorm, h.feasibility, lambda, tube),
    shown: (dd) => 2 * Math.sqrt(dd),
  })(ray);
}

export function safeStep(fnorm: number, d: number, lambda: number, tube: number): number {
  const b = lambda * d * (1 - d);
  const gg = fnorm * fnorm + 1e-300;
  return Math.min((b + Math.sqrt(b * b + gg * Math.max(0, tube - d))) / gg, 1 / (2 * lambda));
}

/** G ← ½(G·(I + K) − X·Mᵀ) + λ·X·K, M = XᵀG */
export function landingField(
  E: Engine,
  n: number,
  p: number,
  lambda: number,
): (G: Matrix, X: Matrix, parts: Parts) => void {
  const [B, H] = [E.matrix(p, p), E.matrix(n, p)];
  return (G, X, { K, M, S }) => {
    E.copy(H, G);
    E.mul(G, H, K, 0.5, 0.5);
    // Mᵀ = 2S − M
    E.combine(B, 0.5, M, -1, S);
    E.axpby(B, lambda, K, 1);
    E.mul(G, X, B, 1, 1);
  };
}
