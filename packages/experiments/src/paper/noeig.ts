/** The nonlinear eigenvalue problem of the paper's first experiment (4.3), a one-dimensional model of Kohn–Sham total energy. */

import type { Engine, Tall } from "@expen/linalg";
import { finite } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import type { Part } from "@expen/linalg/memory";
import { checkShape, type Problem, type ProblemOptions, problemOptions } from "../problems/problem.js";

interface NoeigOptions extends ProblemOptions {
  /** weight of the nonlinear term */
  alpha?: number;
}

/** the paper's α */
export const noeigDefaults = { alpha: 1 };

/** Memory: diagonals of L, of its factors and of M in the engine, L twice and M once in host memory; ρ, z and two v */
export const noeigParts = ({ n }: NoeigOptions): Part[] => [{ count: 27, rows: n, cols: 1, plain: 9 }];

/**
 * f(X) = ½ tr(XᵀLX) + (α/4) ρᵀL⁻¹ρ,  ρ_i = Σ_j X_ij²,  L = tridiag(−1, 2, −1)
 *
 * With the potential v = αL⁻¹ρ (two sweeps over n numbers) and M = L + Diag(v), a tridiagonal matrix too:
 *
 *     ∇f(X)     = M X,     f(X) = ½⟨X, MX⟩ − ¼ρᵀv   because ½ tr(XᵀLX) = ½⟨X, MX⟩ − ½ρᵀv
 *     ∇²f(X)[D] = M D + 2α·Diag(L⁻¹ rowDots(X, D)) X
 *
 * The problem is deterministic: `seed` has no effect.
 * α ≥ 0: f is convex, because L⁻¹ ≥ 0 entry by entry makes ρᵀL⁻¹ρ nondecreasing and convex in the convex ρ ≥ 0.
 * α = 0: f* = ½ Σ_{k ≤ p} (2 − 2cos(kπ/(n+1))), half the sum of the p lowest eigenvalues of L.
 */
export function noeig(E: Engine, options: NoeigOptions): Problem {
  const { n, p, alpha = noeigDefaults.alpha } = problemOptions("noeig", options, { alpha: finite });
  checkShape(E, "noeig", { n, p }, noeigParts);
  const matrix = constantTridiagonal(n, -1, 2, -1);
  // M = L + Diag(v), whose main diagonal changes with X
  const [L, M] = [E.operator(matrix), E.operator(matrix)];
  const [rho, z] = [E.tall(n, 1), E.tall(n, 1)];
  // the linearization has its own v, which later evaluations of f leave as it is
  const [v, vX] = [E.tall(n, 1), E.tall(n, 1)];
  /** M·X, for evaluations of f alone */
  let W: Tall | undefined;

  /** v ← αL⁻¹ρ, ρ ← the row sums of X² */
  function potential(v: Tall, X: Tall): void {
    E.rowDots(rho, X, X);
    L.solve!(z, rho);
    E.combine(v, alpha, z, 0, z);
  }

  /** Y ← (L + Diag(v))·X */
  function multiply(Y: Tall, v: Tall, X: Tall): void {
    E.combine(M.main!, 1, L.main!, 1, v);
    M.apply(Y, X);
  }

  function fg(G: Tall, X: Tall): number {
    potential(v, X);
    multiply(G, v, X);
    return 0.5 * E.dot(X, G) - 0.25 * E.dot(rho, v);
  }

  /** H ← (L + Diag(v))·D + 2α·Diag(L⁻¹ rowDots(X, D))·X */
  function second(H: Tall, v: Tall, X: Tall, D: Tall): void {
    E.rowDots(rho, X, D);
    L.solve!(z, rho);
    multiply(H, v, D);
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
      ...(alpha === 0 && {
        quadratic: { apply: (Y: Tall, X: Tall) => L.apply(Y, X), matrix, flops: L.flops },
      }),
      f(X) {
        W ??= E.tall(n, p);
        return fg(W, X);
      },
      fg,
      hvp(H, X, D) {
        potential(v, X);
        second(H, v, X, D);
      },
      linearize(X) {
        potential(vX, X);
        return (H, D) => second(H, vX, X, D);
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
