import { weightedStiefel } from "../geometry/canonical.js";
import { retractions } from "../geometry/stiefel.js";
import { eigenSolver } from "../linalg/eigh.js";
import { linearSolver } from "../linalg/solve.js";
import { svdSolver } from "../linalg/svd.js";
import { nonmonotone } from "../search/armijo.js";
import type { Engine, Evaluations, Geometry, Matrix, Objective, Solver } from "../types.js";
import { barzilaiBorwein } from "./barzilai-borwein.js";
import { type TrialRay, trialRay } from "./ray.js";

/** gp: gradient projection; gr: gradient reflection */
export type McmVariant = "gp" | "gr";

export interface McmOptions {
  variant?: McmVariant;
  evaluations?: Evaluations | undefined;
}

/**
 * The multipliers correction method [Wang, Gao, Liu 2021] with the steps of FOForth [Gao, Liu, Chen, Yuan 2018]. Each iteration
 *
 *  1. lowers f across the span of X, by projection or by reflection of Z = X − τ·(∇f − X·S):
 *         GP: V = Z(ZᵀZ)^(−1/2),        GR: V = 2Z(ZᵀZ)⁻¹ZᵀX − X   (with half the step, so that its derivative is the same);
 *  2. corrects the multiplier inside the span of V, making Xᵀ∇f symmetric in the limit:
 *         X₊ = V·Q,   Q = argmin ⟨Vᵀ∇f(V), Q⟩ + η/2·‖Q − I‖²  over QᵀQ = I.
 *
 * The papers take Z = X − τ∇f, which turns columns over where τ·λ(S) > 1 and then converges to wrong points (noeig). Here f is first
 * shifted by the multiplier, f − ½⟨S, XᵀX − I⟩, which is the same function on the manifold and has no such limit; τ is a
 * Barzilai–Borwein step under a nonmonotone search, and η = 1/τ + λmax(S), the smallest η that makes the model convex at that step.
 */
export function mcm(E: Engine, f: Objective, X0: Matrix, { variant = "gp", evaluations }: McmOptions = {}): Solver {
  const { n, p } = f;
  const geometry =
    variant === "gp"
      ? weightedStiefel(E, p, retractions.polar(E, n, p), 1 / 4)
      : weightedStiefel(E, p, reflection(E, n, p), 0);
  const correct = correction(E, p);
  const highest = highestEigenvalue(E, p);
  const [Q, G] = [E.matrix(p, p), E.matrix(n, p)];

  /** Step 2 at the trial point V; V stays where no η lowers f. */
  function improve(ray: TrialRay, t: number): void {
    const { omega } = geometry;
    // nothing to correct where f does not depend on the basis of the span
    if (omega <= 1e-12 * E.dot(ray.Gt, ray.Gt)) return;
    const lambda = highest(geometry.M);
    const Y = ray.D;
    for (let weight = 1 / t; weight < 1e3 / t; weight *= 4) {
      correct(Q, geometry.M, weight + lambda);
      E.mul(Y, ray.Xt, Q);
      const value = f.fg(G, Y);
      if (!(value <= ray.ft)) continue;
      geometry.project(G, Y);
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
    shown: geometry.euclideanNorm,
    rate: geometry.rate,
  })(trialRay(E, f, geometry, X0, evaluations));
}

/** Q ← argmin ⟨M, Q⟩ + η/2·‖Q − I‖² over QᵀQ = I, which is U·Wᵀ for η·I − M = U·Σ·Wᵀ */
export function correction(E: Engine, p: number): (Q: Matrix, M: Matrix, eta: number) => void {
  const [A, U, W] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const s = new Float64Array(p);
  const svd = svdSolver(E, p, p);
  return (Q, M, eta) => {
    E.axpby(A, -1, M, 0);
    E.addDiagonal(A, eta);
    svd(U, s, W, A);
    E.mulT(Q, U, W);
  };
}

/** λmax(sym M) */
function highestEigenvalue(E: Engine, p: number): (M: Matrix) => number {
  const V = E.matrix(p, p);
  const w = new Float64Array(p);
  const eigen = eigenSolver(E, p);
  return (M) => {
    eigen(V, w, M);
    return w[p - 1]!;
  };
}

/** Y ← 2Z(ZᵀZ)⁻¹ZᵀX − X, Z = X + t/2·D: X reflected at the span of Z; feasible for every Z of full rank */
export function reflection(E: Engine, n: number, p: number): Geometry["retract"] {
  const [Z, ZZ, B, C] = [E.matrix(n, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const solve = linearSolver(E, p, p);
  const tidy = retractions.polar(E, n, p);
  return (Y, X, t, D) => {
    E.combine(Z, 1, X, t / 2, D);
    E.gram(ZZ, Z);
    E.tmul(B, Z, X);
    solve(C, ZZ, B);
    E.copy(Y, X);
    E.mul(Y, Z, C, 2, -1);
    // rounding grows with the condition of Z
    E.copy(Z, Y);
    tidy(Y, Z, 0, X);
  };
}
