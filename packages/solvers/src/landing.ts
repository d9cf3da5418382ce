import type { Constraint, Evaluations, Geometry, Objective, Search, Solver } from "@expen/core";
import { paperBeta } from "@expen/core/expen";
import { trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { augmented, type Field } from "./augmented.js";
import { barzilaiBorwein } from "./barzilai-borwein/barzilai-borwein.js";
import { restoring } from "./restoring.js";
import { nonmonotone } from "./search/armijo.js";
import { tolerant } from "./search/tolerant.js";

/**
 * bb: Barzilai–Borwein steps, bounded by the safe step; search: the same with an Armijo search on the merit function;
 * constant: the same step in every iteration, as in the papers
 */
export type LandingVariant = "bb" | "search" | "constant";

export interface LandingOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  variant?: LandingVariant;
  /** weight λ of N, the same in every iteration; left out: λ = 1/(2η) for a step η */
  pull?: number;
  /** ε, the bound on ‖XᵀX − I‖ */
  tube?: number;
  /** the step of the variant "constant" */
  step?: number;
  evaluations?: Evaluations;
}

/**
 * The landing method [Ablin, Peyré, AISTATS 2022; Ablin, Vary, Gao, Absil, J. Mach. Learn. Res. 25, 2024]: X₊ = X − η·F without retraction,
 *
 *     F = R + λ·N,   R = skew(∇f·Xᵀ)·X = ½(∇f·XᵀX − X·∇fᵀX),   N = X·(XᵀX − I),   ⟨R, N⟩ = 0,
 *
 * with η ≤ `safeStep`, so that d = ‖XᵀX − I‖ ≤ ε. On the manifold R is half the canonical gradient; the states show the norm of the
 * gradient of the Euclidean metric, computed from the same parts, and the infeasibility.
 *
 * Two departures from the papers, which fix λ and η. The best λ depends on f and bounds the step by 1/(2λ), a full normal step; so by
 * default λ = 1/(2η), X₊ = X − η·R − ½X·K, and η is free. And η is a Barzilai–Borwein step, as the best constant one depends on f as well.
 * The method of the papers is `variant: "constant"` with `pull` and `step` set.
 */
export function landing(
  E: Engine,
  f: Objective,
  X0: Tall,
  { on, variant = "bb", pull, tube = 0.5, step, evaluations }: LandingOptions = {},
): Solver {
  const { n, p } = f;
  const scale = 10 * paperBeta(E, f, X0);
  const h = augmented(E, f, pull === undefined ? scale : 2 * pull, landingField(E, n, p, pull ?? 0), on);
  const geometry = pull === undefined ? fullPull(E, h.parts.on) : restoring(E, n, p, { above: 0.9, on });
  const ray = trialRay(E, h, geometry, X0, evaluations);
  const searches: Record<LandingVariant, () => Search> = {
    bb: tolerant,
    search: nonmonotone,
    constant: () => (ray) => {
      ray.move();
      return Number.isFinite(ray.ft);
    },
  };
  const constant = variant === "constant";
  const { M, S } = h.parts;
  const Omega = E.small(p, p);
  /** On the manifold 2R = P⊥∇f + 2XΩ with Ω = skew(Xᵀ∇f), and the gradient of the Euclidean metric has ‖·‖² = ‖2R‖² − 3‖Ω‖². */
  const stateNorm = (dd: number): number => {
    E.combine(Omega, 1, M, -1, S);
    const gg = Math.max(dd, 4 * dd - 3 * E.dot(Omega, Omega));
    return Math.sqrt(gg + (E.dot(S, S) / p) * h.feasibility ** 2);
  };
  return barzilaiBorwein(E, {
    search: searches[variant](),
    first: (dnorm) => (constant ? (step ?? 0.1 / scale) : 0.01 / (dnorm + scale)),
    warmup: constant ? Number.POSITIVE_INFINITY : 3,
    max: 1e10,
    limit: (fnorm) =>
      pull === undefined ? fullPullStep(fnorm, h.feasibility, tube) : safeStep(fnorm, h.feasibility, pull, tube),
    stateNorm,
  })(ray);
}

/** The papers' safe step: η ≤ (b + √(b² + ‖F‖²(ε − d)))/‖F‖², b = λd(1 − d), and η ≤ 1/(2λ) */
export function safeStep(fnorm: number, d: number, lambda: number, tube: number): number {
  const b = lambda * d * (1 - d);
  const gg = fnorm * fnorm;
  return Math.min((b + Math.sqrt(b * b + gg * Math.max(0, tube - d))) / gg, 1 / (2 * lambda));
}

/**
 * A safe step for λ = 1/(2η), which is not in the papers: with u = η‖R‖, A = X − ½XK and XᵀR skew
 *
 *     ‖K₊‖ ≤ ‖AᵀA − I‖ + η‖K·XᵀR − XᵀR·K‖/2 + η²‖R‖² ≤ d² + 3/2·d·u + u² ≤ ε   for d ≤ ½.
 */
export function fullPullStep(rnorm: number, d: number, tube: number): number {
  const b = 0.75 * d;
  return (Math.sqrt(b * b + Math.max(0, tube - d * d)) - b) / rnorm;
}

/** G ← ½(G·(I + K) − X·Mᵀ) + λ·X·K, M = XᵀG */
export function landingField(E: Engine, n: number, p: number, lambda: number): Field {
  const [B, H] = [E.small(p, p), E.tall(n, p)];
  return (G, x, { on, K, M, S }) => {
    E.copy(H, G);
    E.mul(G, H, K, 0.5, 0.5);
    // Mᵀ = 2S − M
    E.combine(B, 0.5, M, -1, S);
    E.combine(B, lambda, K, 1, B);
    on.dissolver.normal(G, x, B);
  };
}

/** Y ← A(X) + t·D = X − ½X·(XᵀX − I) + t·D */
function fullPull(E: Engine, { shape: { p }, dissolver }: Constraint): Geometry {
  const K = E.small(p, p);
  return {
    name: "landing",
    retract({ X: Y }, x, t, D) {
      dissolver.A(Y, x, K);
      E.combine(Y, 1, Y, t, D);
    },
    project() {},
    hessian() {},
  };
}
