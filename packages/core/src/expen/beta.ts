import type { Engine, Small, Tall } from "@expen/linalg";
import { amount, chosenOptions, constraint, fillNormal, integer, random, type SchemaOf } from "@expen/linalg";
import { spectralSpread } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { type BetaRule, betaRules } from "./beta-rules.js";
import { expen } from "./penalty.js";

interface FixedBetaOptions {
  seed?: number | undefined;
  /** bounds of ‖∇f(A(X))‖ and of the Lipschitz constant of ∇(f∘A), for the rule of the theory */
  M1?: number;
  M2?: number;
  on?: Constraint | undefined;
}

const SCHEMA: SchemaOf<FixedBetaOptions> = { seed: integer, M1: amount, M2: amount, on: constraint };

/** A rule by name as a number for the start X0. `M1`, `M2`: the constants of the theory where they are known. */
export function fixedBeta(
  E: Engine,
  f: Objective,
  X0: Tall,
  rule: Exclude<BetaRule, "auto">,
  options: FixedBetaOptions = {},
): number {
  const { seed = 1, M1, M2, on } = chosenOptions("fixedBeta", options, SCHEMA);
  if (rule === "paper") return paperBeta(E, f, X0);
  if (rule === "cdopt") return sampledBeta(E, f, X0, seed, on);
  if (rule === "theory") return theoryBeta(E, f, X0, { seed, M1, M2, on });
  if (typeof rule === "number" && rule > 0 && Number.isFinite(rule)) return rule;
  throw new RangeError(`beta is ${rule}; it must be a positive number, or one of ${betaRules.join(", ")}.`);
}

/** β = ‖∇f(X0)‖_F/10, the rule of the paper's experiments, section 4.2 */
export function paperBeta(E: Engine, f: Objective, X0: Tall): number {
  const G = E.tall(f.n, f.p);
  f.fg(G, X0);
  return Math.sqrt(E.dot(G, G)) / 10;
}

/**
 * The sampled rule of CDOpt, doubled because its penalty is β/2·‖K‖²: over 30 points X = X0 + r·D, D uniform on the unit sphere of ℝⁿˣᵖ
 * and r uniform in (0, 1),
 *
 *     β = 2 · 1.2 · max 2·max( |f(A(X)) − f(A²(X))| / ((‖K(X)‖ − ‖K(A(X))‖)² + 1e-5), 1e-5 ).
 */
export function sampledBeta(
  E: Engine,
  f: Objective,
  X0: Tall,
  seed: number,
  on: Constraint = stiefelConstraint(E, f.n, f.p),
  samples = 30,
): number {
  const { n, p } = f;
  const [X, Y, Z, K] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.small(p, p)];
  const at = pointOf(E, on);
  const r = random(seed, "cdopt");
  let largest = 0;
  for (let i = 0; i < samples; i++) {
    fillNormal(Z, r, E);
    E.combine(X, 1, X0, r.uniform() / Math.sqrt(E.dot(Z, Z)), Z);
    const outer = on.dissolver.A(Y, at(X), K);
    const fy = f.f(Y);
    const inner = on.dissolver.A(Z, at(Y), K);
    const change = Math.abs(fy - f.f(Z)) / ((outer - inner) ** 2 + 1e-5);
    largest = Math.max(largest, 2 * Math.max(change, 1e-5));
  }
  return 2 * 1.2 * largest;
}

/**
 * The theory's β̄ = max{12·M1, 6·M2} [Xiao, Liu 2024, section 2.2; condition of Theorem 3.1], over {‖X‖₂ ≤ 13/12} with M1 ≥ ‖∇f(A(X))‖ and
 * M2 ≥ the Lipschitz constant of ∇g, g = f∘A. Constants that are not given are estimated from below by the largest value over X0 and
 * scaled copies of it, so the estimate is a proposal and no proof.
 */
export function theoryBeta(
  E: Engine,
  f: Objective,
  X0: Tall,
  { seed = 1, samples = 10, M1, M2, on }: FixedBetaOptions & { samples?: number } = {},
): number {
  if (M1 !== undefined && M2 !== undefined) return Math.max(12 * M1, 6 * M2);
  const { n, p } = f;
  const [X, D, G, H] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const r = random(seed, "theory");
  const norm = (A: Tall): number => Math.sqrt(E.dot(A, A));
  let [gradient, lipschitz] = [0, 0];
  const watched: Objective = {
    n,
    p,
    f: f.f,
    fg(G, Y) {
      const value = f.fg(G, Y);
      gradient = Math.max(gradient, norm(G));
      return value;
    },
  };
  // without a penalty h is g
  const g = expen(E, watched, 0, on);
  for (let i = 0; i < samples; i++) {
    // scaled copies of X0 stay in the ball; D probes ∇²g there by power iteration on differences of ∇g
    E.combine(X, i === 0 ? 1 : (13 / 12) * r.uniform(), X0, 0, X0);
    g.fg(G, X);
    fillNormal(D, r, E);
    for (let power = 0; power < 5; power++) {
      E.combine(D, 1, X, 1e-6 / norm(D), D);
      g.fg(H, D);
      E.combine(H, -1, G, 1, H);
      const change = norm(H);
      lipschitz = Math.max(lipschitz, change / 1e-6);
      if (change === 0) break;
      E.combine(D, 1, H, 0, H);
    }
  }
  return Math.max(12 * (M1 ?? gradient), 6 * (M2 ?? lipschitz));
}

/**
 * β for a stage of shifted ExPen: the normal curvature 2β shall lie inside the spectrum of the tangential Hessian, and cover a drift of the
 * multiplier during the stage. Three scales that do not change when c/2·‖X‖² is added to f, and that grow with f when it is multiplied:
 * the spread of the multiplier's eigenvalues, the Riemannian gradient, the curvature along the last steps.
 */
export function stageBeta(
  p: number,
  E?: Engine,
  spread: (M: Small) => number = spectralSpread(p, E),
): (M: Small, gnorm: number, curvature: number) => number {
  return (M, gnorm, curvature) => Math.max(0.15 * spread(M) + gnorm / Math.sqrt(p), 0.1 * curvature);
}
