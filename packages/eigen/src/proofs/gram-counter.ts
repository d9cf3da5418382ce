import { factorizationError, gamma } from "@expen/core/certify";
import type { Engine } from "@expen/linalg";
import { eigh, trace } from "@expen/linalg/dense";
import type { Counter } from "./counting.js";
import type { Gram } from "./operator-matrix.js";

/**
 * B = weight·TTᵀ with T n×m, m < n, has the eigenvalues of weight·TᵀT and n − m zeros. The computed K differs from TᵀT by at most
 * γ_n·|T|ᵀ|T|, whose norm is at most γ_n·tr K. For any V and Λ = Diag(λ), with ρ = ‖K − VΛVᵀ‖ and ε = ‖VᵀV − I‖ < 1, K has an
 * eigenvalue within ρ of λ_i·τ_i for each i, 1 − ε ≤ τ_i ≤ 1 + ε (Weyl; Ostrowski, Horn and Johnson, Theorem 4.5.9). Both norms are
 * computed, so that no accuracy of the eigenvectors is assumed.
 */
export function gramCounter(E: Engine, { T, weight }: Gram): Counter | undefined {
  const { rows: n, cols: m } = T;
  const K = E.small(m, m);
  E.gram(K, T);
  const sum = trace({ rows: m, cols: m, data: E.read(K) });
  const norm = Math.abs(weight) * sum;
  if (!Number.isFinite(norm)) return undefined;
  const spectrum = eigh(E, K);
  const { values, vectors: V } = spectrum;
  const rho = factorizationError(E, K, spectrum);
  E.tmul(K, V, V);
  E.addDiagonal(K, -1);
  const epsilon = Math.sqrt(E.dot(K, K)) + gamma(m + 8) * m;
  const largest = Math.max(Math.abs(values[0]!), Math.abs(values[m - 1]!));
  const rounding = gamma(n + 8) * sum + gamma(2 * m + 16) * (m * largest + sum);
  const error = Math.abs(weight) * (rho + epsilon * largest + rounding);
  // also false for NaN
  if (!(epsilon < 1 && error < norm)) return undefined;
  return {
    norm,
    error,
    count(x) {
      const below = values.reduce((count, value) => (weight * value < x ? count + 1 : count), 0);
      return { below: x > 0 ? below + n - m : below, error };
    },
    how: `eigenvalues of TᵀT, ${m}×${m}`,
  };
}
