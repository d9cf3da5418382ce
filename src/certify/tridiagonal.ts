/** Proofs for a tridiagonal B, by counting its eigenvalues below a number in O(n) operations. */
import type { Diagonals } from "../arrays/tridiagonal.js";
import { eigenvaluesBelow } from "../arrays/tridiagonal-eigenpairs.js";
import { digits } from "../numbers.js";
import type { QuadraticForm } from "../types.js";
import { highest, linearBound } from "./linear-bound.js";
import { gamma } from "./rounding.js";
import type { Point, Proof } from "./types.js";

/** A symmetric tridiagonal matrix by its diagonals, ‖T‖ ≤ norm */
interface Sturm {
  /** eigenvalues below x − hair are at most `below(x)`, those below x + hair at least */
  below(x: number): number;
  readonly hair: number;
  readonly norm: number;
}

/**
 * The count is that of a matrix with the signs of the pivots of T + δT − xI, ‖δT‖ ≤ 8u·(‖T‖ + |x|) (Kahan 1966; Demmel, Dhillon and Ren,
 * ETNA 3, 1995); x within the spectrum.
 */
function sturm({ lower, main: d, upper }: Diagonals): Sturm | undefined {
  const n = d.length;
  const e = new Float64Array(n);
  for (let i = 1; i < n; i++) {
    if (lower[i] !== upper[i - 1]) return undefined;
    e[i - 1] = lower[i]!;
  }
  let norm = 0;
  for (let i = 0; i < n; i++)
    norm = Math.max(norm, Math.abs(d[i]!) + Math.abs(e[i]!) + Math.abs(i > 0 ? e[i - 1]! : 0));
  if (!Number.isFinite(norm)) return undefined;
  return { below: (x) => eigenvaluesBelow(d, e, n, x), hair: gamma(32) * norm, norm };
}

/**
 * L = 0. Kahan's theorem (Parlett, The Symmetric Eigenvalue Problem, 11.5.1) pairs the eigenvalues θ_i of S with p eigenvalues of B
 * within r = ‖R‖₂. If ν eigenvalues of B are below σ, and the ν lowest θ_i are below σ − r and the others not, those ν are the paired
 * ones, the other eigenvalues are ≥ σ, and
 *
 *     f* ≥ ½(Σ_{i ≤ ν}(θ_i − r) + (p − ν)σ) + constant.
 *
 * σ is taken below the lowest θ_c that is linked to θ_p by gaps of at most 2r. X that is orthonormal up to η adds 3η‖B‖ to r.
 */
export function tridiagonalProof(form: QuadraticForm, T: Diagonals, point: Point): Proof {
  const B = sturm(T);
  if (!B) return undefined;
  const { lambda: theta, measures } = point;
  const { fval, stationarity, feasibility } = measures;
  const p = theta.length;
  const r = stationarity + 3 * feasibility * B.norm + gamma(16 * p) * B.norm;
  let c = p - 1;
  while (c > 0 && theta[c]! - theta[c - 1]! <= 2 * r + 4 * B.hair) c--;
  const at = theta[c]! - r - B.hair;
  if (B.below(at) !== c) return undefined;
  const sigma = at - B.hair;
  let lower = (p - c) * sigma;
  for (let i = 0; i < c; i++) lower += theta[i]! - r;
  const { constant = 0 } = form;
  const gapBound = Math.max(0, fval - constant - 0.5 * lower) + 8 * gamma(p + 8) * (p * B.norm + Math.abs(constant));
  return {
    gapBound,
    text: `B has ${c} eigenvalues below ${digits(sigma, 6)} (Sturm count), all on X, so f − f* ≤ ${digits(gapBound)}`,
  };
}

/** With L: λmin(B) ≥ σ if no eigenvalue is below σ. */
export function tridiagonalLinearProof(form: QuadraticForm, T: Diagonals, point: Point): Proof {
  const B = sturm(T);
  if (!B) return undefined;
  const theta = highest(point);
  const sigma = theta - point.measures.stationarity / Math.sqrt(point.X.cols) - B.hair - gamma(32) * Math.abs(theta);
  if (B.below(sigma) !== 0) return undefined;
  return linearBound(point, theta - sigma + B.hair, B.norm, form.constant ?? 0, "Sturm count");
}
