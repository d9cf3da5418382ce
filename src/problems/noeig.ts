/** The nonlinear eigenvalue problem of the paper's first experiment, a one-dimensional model of Kohn–Sham total energy. */
import { constantTridiagonal, tridiagonalFactor } from "../linalg/tridiagonal.js";
import type { Engine, Matrix, Tridiagonal } from "../types.js";
import { checkFinite, checkSizes, type Problem, type ProblemOptions } from "./problem.js";

export interface NoeigOptions extends ProblemOptions {
  /** weight of the nonlinear term */
  alpha?: number;
}

export const noeigDefaults = { alpha: 1 };

/**
 * f(X) = ½ tr(XᵀLX) + (α/4) ρᵀL⁻¹ρ,  ρ_i = Σ_j X_ij²,  L = tridiag(−1, 2, −1)
 *
 * With z = L⁻¹ρ (two sweeps over n numbers) and M = L + α·Diag(z), a tridiagonal matrix too:
 *
 *     ∇f(X)     = M X,     f(X) = ½⟨X, MX⟩ − (α/4) ρᵀz   because ½ tr(XᵀLX) = ½⟨X, MX⟩ − ½ α ρᵀz
 *     ∇²f(X)[D] = M D + 2α·Diag(L⁻¹ rowDots(X, D)) X
 *
 * There is nothing random in it: `seed` has no effect.
 * α ≥ 0: f is convex, because L⁻¹ ≥ 0 entry by entry makes ρᵀL⁻¹ρ nondecreasing and convex in the convex ρ ≥ 0.
 * α = 0: f* = ½ Σ_{k ≤ p} (2 − 2cos(kπ/(n+1))), half the sum of the p lowest eigenvalues of L.
 */
export function noeig(E: Engine, { n, p, alpha = noeigDefaults.alpha }: NoeigOptions): Problem {
  checkSizes("noeig", n, p);
  checkFinite("noeig", "alpha", alpha);
  const L = constantTridiagonal(E, n, -1, 2, -1);
  const F = tridiagonalFactor(E, L);
  const withMain = (): Tridiagonal => ({ lower: L.lower, main: E.matrix(n, 1), upper: L.upper });
  // the linearization has its own M, so that values taken in between do not disturb it
  const [M, Mx] = [withMain(), withMain()];
  const [rho, z] = [E.matrix(n, 1), E.matrix(n, 1)];
  /** M·X, where the value alone is asked for */
  let W: Matrix | undefined;

  /** M ← L + α·Diag(z), z ← L⁻¹ρ */
  function hamiltonian(M: Tridiagonal, rho: Matrix): void {
    E.tridiagonalSolve(z, F, rho);
    E.combine(M.main, 1, L.main, alpha, z);
  }

  function fg(G: Matrix, X: Matrix): number {
    E.rowDots(rho, X, X);
    hamiltonian(M, rho);
    E.tridiagonal(G, M, X);
    return 0.5 * E.dot(X, G) - 0.25 * alpha * E.dot(rho, z);
  }

  /** H ← M·D + 2α·Diag(L⁻¹ rowDots(X, D))·X */
  function second(H: Matrix, M: Tridiagonal, X: Matrix, D: Matrix): void {
    E.rowDots(rho, X, D);
    E.tridiagonalSolve(z, F, rho);
    E.tridiagonal(H, M, D);
    E.scaleRows(H, z, X, 2 * alpha, 1);
  }

  return {
    name: "noeig",
    title: `f(X) = ½ tr(XᵀLX) + (${alpha}/4) ρᵀL⁻¹ρ, L = tridiag(−1, 2, −1), ρ_i = Σ_j X_ij²`,
    n,
    p,
    objective: {
      n,
      p,
      convex: alpha >= 0,
      ...(alpha === 0 && { quadratic: { apply: (Y: Matrix, X: Matrix) => E.tridiagonal(Y, L, X), flops: 5 * n } }),
      f(X) {
        W ??= E.matrix(n, p);
        return fg(W, X);
      },
      fg,
      hvp(H, X, D) {
        E.rowDots(rho, X, X);
        hamiltonian(M, rho);
        second(H, M, X, D);
      },
      linearize(X) {
        E.rowDots(rho, X, X);
        hamiltonian(Mx, rho);
        return (H, D) => second(H, Mx, X, D);
      },
    },
    ...(alpha === 0 && { optimum: lowestLaplacian(n, p) }),
  };
}

/** ½ Σ_{k=1..p} λ_k(L), λ_k = 4 sin²(kπ/(2(n+1))) */
function lowestLaplacian(n: number, p: number): number {
  let sum = 0;
  for (let k = 1; k <= p; k++) sum += 2 * Math.sin((k * Math.PI) / (2 * (n + 1))) ** 2;
  return sum;
}
