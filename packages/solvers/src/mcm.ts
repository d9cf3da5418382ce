import type { Evaluations, Objective, Solver } from "@expen/core";
import { plainPoint } from "@expen/core";
import type { Retract } from "@expen/core/methods";
import { type TrialRay, trialRay } from "@expen/core/methods";
import type { Engine, Small, Tall } from "@expen/linalg";
import { barzilaiBorwein } from "./barzilai-borwein/barzilai-borwein.js";
import { fieldSteps } from "./barzilai-borwein/bb-steps.js";
import { weightedStiefel } from "./curves/canonical.js";
import { retractions } from "./curves/retractions.js";
import { nonmonotone } from "./search/armijo.js";

/** gp: gradient projection; gr: gradient reflection */
export type McmVariant = "gp" | "gr";

export interface McmOptions {
  variant?: McmVariant;
  evaluations?: Evaluations;
}

/**
 * The multipliers correction method [Wang, Gao, Liu, CSIAM Trans. Appl. Math. 2, 2021] with the steps of FOForth
 * [Gao, Liu, Chen, Yuan, SIAM J. Optim. 28, 2018]. Each iteration
 *
 *  1. changes the span of X by projection or by reflection of Z = X − τ·(∇f − X·S):
 *         GP: V = Z(ZᵀZ)^(−1/2),        GR: V = 2Z(ZᵀZ)⁻¹ZᵀX − X   (with τ/2, so that both have the same derivative in τ);
 *  2. changes the basis of the span of V, which makes Xᵀ∇f symmetric in the limit:
 *         X₊ = V·Q,   Q = argmin ⟨Ω, Q⟩ + η/2·‖Q − I‖²  over QᵀQ = I,   Ω = Vᵀ∇f(V) − S(V).
 *
 * A departure: the papers take Z = X − τ∇f and Vᵀ∇f(V) in place of Ω. The first reverses columns where τ·λ(S) > 1 and then converges to
 * points that are not stationary (nonlinear eigenvalue problems), the second makes steps of the size 1/(η − λ(S)). Here both formulas are
 * applied to f − ½⟨S, XᵀX − I⟩, the same function on the manifold, where neither happens. τ = 1/η is a Barzilai–Borwein step, accepted by
 * a nonmonotone search; step 2 is left out where f rises for all η < 1000/τ.
 */
export function mcm(E: Engine, f: Objective, X0: Tall, { variant = "gp", evaluations }: McmOptions = {}): Solver {
  const { n, p } = f;
  const geometry = weightedStiefel(E, p, (variant === "gp" ? retractions.polar : reflection)(E, n, p), 1 / 4);
  const correct = correction(E, p);
  const [Q, Omega, G] = [E.small(p, p), E.small(p, p), E.tall(n, p)];

  /** Step 2 at the trial point V */
  function improve(ray: TrialRay, t: number): void {
    const { omega } = geometry;
    // f does not depend on the basis of the span
    if (omega <= 1e-12 * E.dot(ray.Gt, ray.Gt)) return;
    E.copy(Omega, geometry.M);
    E.symmetrize(Omega);
    E.combine(Omega, 1, geometry.M, -1, Omega);
    const Y = ray.D;
    for (let eta = 1 / t; eta < 1e3 / t; eta *= 4) {
      correct(Q, Omega, eta);
      E.mul(Y, ray.Xt, Q);
      const value = f.fg(G, Y);
      if (!(value <= Math.max(ray.ft, ray.f0))) continue;
      geometry.project(G, plainPoint(Y));
      E.copy(ray.Xt, Y);
      E.copy(ray.Gt, G);
      ray.ft = value;
      return;
    }
    geometry.omega = omega;
  }

  return barzilaiBorwein(E, {
    rule: "alternating",
    search: nonmonotone({ c: 1e-4, shrink: 0.3, gamma: 0.85 }),
    first: (dnorm) => 1 / dnorm,
    limit: (dnorm) => 1e3 / dnorm,
    improve,
    stateNorm: geometry.euclideanNorm,
    // a reflection has no component XΩ
    steps: fieldSteps(E, (dd) => geometry.rate(dd) - (variant === "gr" ? geometry.omega : 0)),
  })(trialRay(E, f, geometry, X0, evaluations));
}

/** Q ← argmin ⟨M, Q⟩ + η/2·‖Q − I‖² over QᵀQ = I, which is U·Wᵀ for η·I − M = U·Σ·Wᵀ */
export function correction(E: Engine, p: number): (Q: Small, M: Small, eta: number) => void {
  const [A, U, W] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  const s = new Float64Array(p);
  return (Q, M, eta) => {
    E.combine(A, -1, M, 0, M);
    E.addDiagonal(A, eta);
    E.factor.svd(U, s, W, A);
    E.mulT(Q, U, W);
  };
}

/** Y ← 2Z(ZᵀZ)⁻¹ZᵀX − X, Z = X + t/2·D, the reflection of X in the span of Z; feasible for every Z of full rank */
export function reflection(E: Engine, n: number, p: number): Retract {
  const [Z, ZZ, B, C] = [E.tall(n, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const tidy = retractions.polar(E, n, p);
  return (Y, X, t, D) => {
    E.combine(Z, 1, X, t / 2, D);
    E.gram(ZZ, Z);
    E.tmul(B, Z, X);
    E.factor.solve(C, ZZ, B);
    E.copy(Y, X);
    E.mul(Y, Z, C, 2, -1);
    // the rounding errors of Y grow with the condition number of Z
    E.copy(Z, Y);
    tidy(Y, Z, 0, X);
  };
}
