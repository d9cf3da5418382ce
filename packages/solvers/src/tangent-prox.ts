import type { Nonsmooth, Objective } from "@expen/core";
import { dissolver, plainPoint } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { type Proximal, proximal } from "./proximal.js";

interface TangentProx extends Proximal {
  /** the multiplier of the last problem, from which the next one starts */
  readonly Lambda: Small;
  /**
   * T ← X + D with D = argmin ⟨R, D⟩ + r(X + D) + ‖D‖²/(2η) over sym(XᵀD) = 0, to ‖sym(XᵀD)‖ ≤ tolerance, in at most `limit`
   * iterations. Returns ‖D‖.
   */
  solve(T: Tall, X: Tall, R: Tall, eta: number, tolerance: number, limit: number): number;
}

/**
 * The proximal step in the tangent space. Its dual variable Λ is a symmetric p×p matrix:
 *
 *     D(Λ) = prox_η(X − η(R + XΛ)) − X,   ∇q(Λ) = sym(XᵀD(Λ)),   ∇q Lipschitz with constant η‖X‖₂²,
 *
 * where q is the concave dual function. SLPG [Liu, Xiao, Yuan, J. Sci. Comput. 99, 2024] takes Arrow–Hurwicz steps Λ + ∇q/η; here
 * Barzilai–Borwein steps between 1/η and 1000/η solve the problem in a few iterations.
 */
export function tangentProx(E: Engine, n: number, p: number, nonsmooth: Nonsmooth): TangentProx {
  const { value, prox } = proximal(E, n, nonsmooth);
  const [Lambda, B, B0] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  const Z = E.tall(n, p);
  const d = dissolver(E, p);

  /** T ← X + D(Λ), B ← sym(XᵀD) */
  function dual(T: Tall, X: Tall, R: Tall, eta: number): void {
    E.combine(Z, 1, X, -eta, R);
    E.mul(Z, X, Lambda, -eta, 1);
    prox(T, Z, eta);
    E.combine(Z, 1, T, -1, X);
    d.S(B, plainPoint(X), Z);
  }

  return {
    value,
    prox,
    Lambda,
    solve(T, X, R, eta, tolerance, limit) {
      dual(T, X, R, eta);
      let step = 1 / eta;
      for (let i = 0; i < limit; i++) {
        const bb = E.dot(B, B);
        if (!(Math.sqrt(bb) > tolerance)) break;
        E.combine(Lambda, step, B, 1, Lambda);
        E.copy(B0, B);
        dual(T, X, R, eta);
        // ΔΛ = step·B0, −Δ∇q = B0 − B
        E.combine(B0, -1, B, 1, B0);
        const yy = E.dot(B0, B0);
        E.combine(B0, 1, B, 1, B0);
        const sy = step * (bb - E.dot(B0, B));
        step = Math.min(Math.max(sy / yy, 1 / eta), 1e3 / eta);
        if (!Number.isFinite(step)) step = 1 / eta;
      }
      return Math.sqrt(E.dot(Z, Z));
    },
  };
}

/**
 * A measure of the first-order condition 0 ∈ P_X(∇f + ∂r) of min f + r over XᵀX = I: ‖D‖/η for the proximal step D in the tangent
 * space at X, which vanishes if and only if the condition holds. η = √p/‖∇f(X)‖.
 */
export function nonsmoothStationarity(E: Engine, f: Objective, X: Tall, nonsmooth: Nonsmooth): number {
  const { n, p } = f;
  const [G, T] = [E.tall(n, p), E.tall(n, p)];
  f.fg(G, X);
  const eta = referenceStep(E, G);
  dissolver(E, p).tangent(G, plainPoint(X));
  return tangentProx(E, n, p, nonsmooth).solve(T, X, G, eta, 1e-12 * eta, 5000) / eta;
}

/** √p/‖G‖, 1 where G = 0 */
export function referenceStep(E: Engine, G: Tall): number {
  const norm = Math.sqrt(E.dot(G, G));
  return norm > 0 ? Math.sqrt(G.cols) / norm : 1;
}
