/** Proofs for a tridiagonal, sparse or low-rank B, by counting its eigenvalues below a number. */

import type { Measured, Proof, QuadraticForm } from "@expen/core";
import { gamma } from "@expen/core/certify";
import type { Engine } from "@expen/linalg";
import { digits } from "@expen/linalg";
import type { Diagonals } from "@expen/linalg/arrays";
import { eigenvaluesBelow } from "@expen/linalg/arrays";
import { factorize, growthOf } from "@expen/linalg/ldlt";
import { highest, linearBound } from "./linear-bound.js";
import type { SparseMatrix } from "./operator-matrix.js";

/** Counts the eigenvalues of a symmetric B, ‖B‖ ≤ norm, below x */
export interface Counter {
  readonly norm: number;
  /** a priori estimate of the error of a count */
  readonly error: number;
  /**
   * `below` is exact for a matrix within `error` of B: B has at most `below` eigenvalues below x − error, and at least `below` below
   * x + error; undefined if the count fails
   */
  count(x: number): { readonly below: number; readonly error: number } | undefined;
  /** the method, in words */
  readonly how: string;
}

/**
 * The signs of the pivots are those of T + δT − xI, ‖δT‖ ≤ 8u·(‖T‖ + |x|) (Kahan 1966; Demmel, Dhillon and Ren,
 * ETNA 3, 1995) for x within the spectrum.
 */
export function sturmCounter({ main: d, upper: e }: Diagonals): Counter | undefined {
  const n = d.length;
  let norm = 0;
  for (let i = 0; i < n; i++)
    norm = Math.max(norm, Math.abs(d[i]!) + Math.abs(e[i]!) + Math.abs(i > 0 ? e[i - 1]! : 0));
  if (!Number.isFinite(norm)) return undefined;
  const error = gamma(32) * norm;
  return { norm, error, count: (x) => ({ below: eigenvaluesBelow(d, e, n, x), error }), how: "Sturm count" };
}

/**
 * LDLᵀ = P(B + δB − xI)Pᵀ with |δB| ≤ γ_k·|L||D||Lᵀ|, k the longest sum, whatever the pivots were (Higham, Theorem
 * 9.3, for a symmetric matrix and L·D in place of U): D has as many negative entries as B + δB has eigenvalues below x
 * (Sylvester), and ‖δB‖₂ ≤ γ_k·‖|L||D||Lᵀ|‖_∞, which is computed.
 */
export function inertiaCounter(E: Engine, { A: B, symbolic }: SparseMatrix): Counter | undefined {
  const { rows: n, pointers, values } = B;
  let norm = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = pointers[i]!; k < pointers[i + 1]!; k++) {
      sum += Math.abs(values[k]!);
    }
    norm = Math.max(norm, sum);
  }
  if (!Number.isFinite(norm)) return undefined;
  const own = gamma(4);
  return {
    norm,
    error: own * norm,
    count(x) {
      const factors = factorize(E, symbolic, B, x);
      if (!factors) return undefined;
      const { size, terms } = growthOf(factors);
      const error = gamma(terms + 8) * size + own * (norm + Math.abs(x));
      return Number.isFinite(error) ? { below: factors.negative, error } : undefined;
    },
    how: "inertia of LDLᵀ",
  };
}

/** Number of trial values of σ, each half as far from the next lower θ as the previous one */
const TRIALS = 3;

/**
 * L = 0. Kahan's theorem (Parlett, The Symmetric Eigenvalue Problem, 11.5.1) pairs the eigenvalues θ_i of S with p eigenvalues of B
 * within r = ‖R‖₂. If ν eigenvalues of B are below σ, and the ν lowest θ_i are below σ − r and the others not, those ν are the paired
 * ones, the other eigenvalues are ≥ σ, and
 *
 *     f* ≥ ½(Σ_{i ≤ ν}(θ_i − r) + (p − ν)σ) + constant.
 *
 * σ is taken below the lowest θ_c that is linked to θ_p by gaps of at most 2r. X that is orthonormal up to η adds 3η‖B‖ to r.
 */
export function countingProof({ constant = 0 }: QuadraticForm, B: Counter, point: Measured): Proof {
  const { lambda: theta, measures } = point;
  const { fval, stationarity, feasibility } = measures;
  const p = theta.length;
  const r = stationarity + 3 * feasibility * B.norm + gamma(16 * p) * B.norm;
  let c = p - 1;
  while (c > 0 && theta[c]! - theta[c - 1]! <= 2 * r + 4 * B.error) c--;
  const top = theta[c]! - r - B.error;
  /** the paired eigenvalues of the θ below θ_c are at most this */
  const floor = c > 0 ? theta[c - 1]! + r : Number.NEGATIVE_INFINITY;
  let at = top;
  for (let trial = 0; trial < TRIALS; trial++) {
    const counted = B.count(at);
    const sigma = at - (counted?.error ?? 0);
    // more eigenvalues than roundoff explains: X is not the minimum
    if (counted && counted.below > c && sigma > floor) return undefined;
    if (counted?.below === c && sigma > floor) return proved(sigma);
    // the error bound of this factorization is too large; that of a shift slightly below may be smaller
    at = Math.max(at - 4 * r, (at + floor) / 2);
  }
  return undefined;

  function proved(sigma: number): Proof {
    let lower = (p - c) * sigma;
    for (let i = 0; i < c; i++) lower += theta[i]! - r;
    const gapBound = Math.max(0, fval - constant - 0.5 * lower) + 8 * gamma(p + 8) * (p * B.norm + Math.abs(constant));
    return { gapBound, because: `B has ${c} eigenvalues below ${digits(sigma, 6)} (${B.how}), all on X` };
  }
}

/** With L: λmin(B) ≥ σ if no eigenvalue is below σ. */
export function countingLinearProof({ constant = 0 }: QuadraticForm, B: Counter, point: Measured): Proof {
  const theta = highest(point);
  const sigma = theta - point.measures.stationarity / Math.sqrt(point.X.cols) - B.error - gamma(32) * Math.abs(theta);
  const counted = B.count(sigma);
  if (counted?.below !== 0) return undefined;
  return linearBound(point, theta - sigma + counted.error, B.norm, constant, B.how);
}
