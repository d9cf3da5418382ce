import type { Lowest } from "@expen/linalg/dense";

/**
 * Lower bounds of the smallest eigenvalue λ by k steps of Lanczos' method from a random start [van Dorsselaer, Hochstenbach and van der
 * Vorst, SIAM J. Matrix Anal. Appl. 22, 2000].
 *
 * The vectors are q_{j+1} = π_j(A)·q_1 with the Lanczos polynomials π_j. If v is a unit eigenvector of λ and γ = ⟨v, q_1⟩, then
 * ⟨v, q_{k+1}⟩ = π_k(λ)·γ, so |π_k(λ)| ≤ 1/|γ|. Below the Ritz values |π_k| falls, so that a λ below t asks for |γ| ≤ 1/|π_k(t)|. From a
 * start that is uniform on the sphere of an N-dimensional space, Pr[|γ| ≤ δ] ≤ δ·√(2N/π). The event does not depend on k: a method may
 * look after every step.
 */

/** T_k has the diagonal α_1 … α_k and beside it β_1 … β_{k−1}; β_k is the length of the next vector before it is scaled. */
type Recurrence = Pick<Lowest, "alpha" | "beta">;

/** Probability of an unlucky random start, for which a bound is false */
export const FAILURE = 1e-6;
/** The same at most, of a bound after few steps */
export const MOST_FAILURE = 1e-3;
/** Halvings of the interval of the bound */
const HALVINGS = 40;

/** log|π_k(t)|: β_1⋯β_k·|π_k(t)| = det(T_k − tI) is the product of the pivots of LDLᵀ = T_k − tI. −∞ unless t is below the Ritz values */
export function logPolynomial({ alpha, beta }: Recurrence, t: number): number {
  let [sum, pivot] = [0, 1];
  for (let j = 0; j < alpha.length; j++) {
    const b = j > 0 ? beta[j - 1]! : 0;
    pivot = alpha[j]! - t - (b / pivot) * b;
    if (!(pivot > 0)) return Number.NEGATIVE_INFINITY;
    sum += Math.log(pivot / beta[j]!);
  }
  return sum;
}

/** log|π_k(t)| that excludes eigenvalues below t with probability 1 − failure */
export const chanceLog = (N: number, failure: number = FAILURE): number =>
  Math.log(Math.sqrt((2 * N) / Math.PI) / failure);

/** The probability at most that λ < t is not seen: of a start with so small a part along its eigenvector */
export const missProbability = (recurrence: Recurrence, N: number, t: number): number =>
  Math.min(1, FAILURE * Math.exp(chanceLog(N) - logPolynomial(recurrence, t)));

/**
 * λ is at least `value` with its probability: with 1 − FAILURE, or t with what it has, if that is above 1 − MOST_FAILURE. Undefined where
 * the value is below −scale, which shows nothing.
 */
export function lowerBound(ends: Lowest, N: number, t: number): { value: number; probability: number } | undefined {
  const { value, scale, end } = ends;
  if (!Number.isFinite(value)) return undefined;
  if (end !== "steps") return { value, probability: end === "whole" ? 1 : 1 - FAILURE };
  const miss = missProbability(ends, N, t);
  if (miss > FAILURE && miss <= MOST_FAILURE) return { value: t, probability: 1 - miss };
  const sure = boundBelow(ends, N, value);
  return sure >= -scale ? { value: sure, probability: 1 - FAILURE } : undefined;
}

/** λ is at least this with probability 1 − FAILURE; `ritz` is the smallest Ritz value. */
export function boundBelow(recurrence: Recurrence, N: number, ritz: number): number {
  const least = chanceLog(N);
  let width = Math.max(...recurrence.beta);
  while (logPolynomial(recurrence, ritz - width) < least) width *= 2;
  let [low, high] = [ritz - width, ritz];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    if (logPolynomial(recurrence, middle) < least) high = middle;
    else low = middle;
  }
  return low;
}
