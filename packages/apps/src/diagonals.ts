import type { Objective } from "@expen/core";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";

/**
 * f(X) = −½ Σ_k ‖diag(XᵀA_kX)‖² for symmetric A_k, in operations of any engine. With Δ_k = Diag(diag(XᵀA_kX)) and
 * Δ'_k = Diag(diag(XᵀA_kD)):
 *
 *     ∇f(X) = −2 Σ_k A_kX Δ_k,     ∇²f(X)[D] = −2 Σ_k (A_kD Δ_k + 2 A_kX Δ'_k)
 *
 * For p = n minimising f is minimising Σ_k ‖off(XᵀA_kX)‖²; diagonal-squares.ts has that case with one product for all A_k and a
 * preconditioner, for engines in host memory. This one works on any engine.
 */
export function diagonals(E: Engine, matrices: readonly Matrix[], p: number): Objective {
  const n = matrices[0]!.rows;
  const A = matrices.map((M) => E.operator(M));
  const [W, V, S, I] = [E.tall(n, p), E.tall(n, p), E.small(p, p), E.small(p, p)];
  const [Dk, Dd] = [E.small(p, p), E.small(p, p)];
  E.addDiagonal(I, 1);
  // the linearization has its own A_kX and Δ_k, which later evaluations of f leave as they are
  const AX = A.map(() => E.tall(n, p));
  const delta = A.map(() => E.small(p, p));

  /** Δ ← Diag(diag(XᵀY)) */
  function diagonal(D: Small, X: Tall, Y: Tall): void {
    E.tmul(S, X, Y);
    E.map([D], entrywiseProduct, [S, I]);
  }

  function fg(G: Tall, X: Tall): number {
    let sum = 0;
    A.forEach((Ak, k) => {
      Ak.apply(W, X);
      diagonal(Dk, X, W);
      sum += E.dot(Dk, Dk);
      E.mul(G, W, Dk, -2, k === 0 ? 0 : 1);
    });
    return -0.5 * sum;
  }

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    A.forEach((Ak, k) => {
      Ak.apply(AX[k]!, X);
      diagonal(delta[k]!, X, AX[k]!);
    });
    return (H, D) => {
      A.forEach((Ak, k) => {
        Ak.apply(W, D);
        E.mul(H, W, delta[k]!, -2, k === 0 ? 0 : 1);
        diagonal(Dd, AX[k]!, D);
        E.mul(H, AX[k]!, Dd, -4, 1);
      });
    };
  }

  return { n, p, f: (X) => fg(V, X), fg, hvp: (H, X, D) => linearize(X)(H, D), linearize };
}
