/**
 * A bound of the probability that a space begun by random vectors has missed an eigenvector. Let Q₀ be the random block, n×b, and u an
 * eigenvector of B for λ, orthogonal to the vectors that Q₀ is orthogonal to. With BV = VT + QR·E_lᵀ and g = Qᵀu the coefficients of u are
 *
 *     Vᵀu = −(T − λI)⁻¹·E_l·Rᵀ·g,   so that   Q₀ᵀu = M·g,   M = −F·(T − λI)⁻¹·E_l·Rᵀ,   ‖g‖ ≤ 1,
 *
 * where F selects the coefficients of Q₀ from Vᵀu. Q₀ᵀu lies in an ellipsoid of volume |det M|·π^(b/2)/Γ(b/2 + 1); for a random block
 * the probability of that is at most (n/2)^(b/2)·|det M|/Γ(b/2 + 1). A space without restarts has |det M| = Π|det R_j| / Π|θ_i − λ|:
 * it decreases with the distance of λ below the Ritz values, hence the probability at μ bounds that at every λ ≤ μ.
 *
 * A restart keeps the coefficients of the kept Ritz vectors; those of the others, −(θ − λ)⁻¹·(R·s_last)ᵀ·g, are linear in g and added to F.
 */
import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";

/** Accepted probability, approximately, that a run misses an eigenvector */
export const MISSED = 1e-6;

export interface MissBound {
  /** of an eigenvector at μ, for the space with these pairs */
  probability(pairs: KrylovPairs): number;
  /** to be called when V ← [Ritz vectors of these indices, Q] */
  restart(pairs: KrylovPairs, indices: readonly number[]): void;
}

/** The random block begins at column `first` of V; `mu` is a value of the operator of the space. */
export function missBound(n: number, b: number, first: number, mu: number): MissBound {
  /** the entries of the first `width` columns of F, by rows; further columns are 0 */
  let [f, width] = [new Float64Array(b * (first + b)), first + b];
  for (let i = 0; i < b; i++) f[i * width + first + i] = 1;

  /** F·S, b×size */
  function timesF(s: Float64Array, size: number): Float64Array {
    const c = new Float64Array(b * size);
    for (let i = 0; i < b; i++) {
      for (let k = 0; k < width; k++) {
        const value = f[i * width + k]!;
        for (let j = 0; j < size; j++) c[i * size + j]! += value * s[k * size + j]!;
      }
    }
    return c;
  }

  /** −Σ F·s_j·(θ_j − μ)⁻¹·(R·s_last)ᵀ over all j but the kept ones, b×b; c holds the entries of F·S */
  function matrixM(
    { theta, own = theta, s, r }: KrylovPairs,
    c: Float64Array,
    keep: ReadonlySet<number>,
  ): Float64Array {
    const size = theta.length;
    const m = new Float64Array(b * b);
    for (let j = 0; j < size; j++) {
      if (keep.has(j)) continue;
      for (let k = 0; k < b; k++) {
        let sum = 0;
        for (let l = k; l < b; l++) sum += r[k * b + l]! * s[(size - b + l) * size + j]!;
        for (let i = 0; i < b; i++) m[i * b + k]! -= (c[i * size + j]! * sum) / (own[j]! - mu);
      }
    }
    return m;
  }

  return {
    probability(pairs) {
      const m = matrixM(pairs, timesF(pairs.s, pairs.theta.length), new Set());
      return ball(b) * (n / 2) ** (b / 2) * Math.abs(determinant(m, b));
    },
    restart(pairs, indices) {
      const size = pairs.theta.length;
      const c = timesF(pairs.s, size);
      const m = matrixM(pairs, c, new Set(indices));
      width = indices.length + b;
      f = new Float64Array(b * width);
      for (let i = 0; i < b; i++) {
        for (const [at, j] of indices.entries()) f[i * width + at] = c[i * size + j]!;
        f.set(m.subarray(i * b, (i + 1) * b), i * width + indices.length);
      }
    },
  };
}

/** 1/Γ(b/2 + 1) */
const ball = (b: number): number => (b === 0 ? 1 : b === 1 ? 2 / Math.sqrt(Math.PI) : ball(b - 2) / (b / 2));

/** det m by elimination with partial pivoting; m is overwritten */
function determinant(m: Float64Array, b: number): number {
  let product = 1;
  for (let k = 0; k < b; k++) {
    let pivot = k;
    for (let i = k + 1; i < b; i++) if (Math.abs(m[i * b + k]!) > Math.abs(m[pivot * b + k]!)) pivot = i;
    for (let j = 0; j < b; j++) [m[k * b + j], m[pivot * b + j]] = [m[pivot * b + j]!, m[k * b + j]!];
    product *= m[k * (b + 1)]!;
    if (product === 0) return 0;
    for (let i = k + 1; i < b; i++) {
      const factor = m[i * b + k]! / m[k * (b + 1)]!;
      for (let j = k; j < b; j++) m[i * b + j]! -= factor * m[k * b + j]!;
    }
  }
  return product;
}

/**
 * μ between the last of the `wanted` lowest values and those that are lower by more than `nearness`: a missing eigenvalue below μ is a
 * wanted one, while a further copy of the last wanted value changes nothing. If all wanted values are within `nearness`, μ lies below
 * them by half of their distance to the next value.
 */
export function separator(theta: Float64Array, count: number, nearness: number): number {
  const last = theta[count - 1]!;
  const lower = theta.findLast((value) => value < last - nearness);
  const higher = theta.find((value) => value > last + nearness) ?? last + nearness;
  return lower === undefined ? last - (higher - last) / 2 : (lower + last) / 2;
}

/** A bound for each wanted end of the spectrum; random vectors begin at column `first`; `own`: from λ to the operator of the space */
export function missBounds(
  theta: Float64Array,
  target: Pairing,
  nearness: number,
  [n, b, first]: readonly [number, number, number],
  own: (lambda: number) => number = (lambda) => lambda,
): MissBound[] {
  const lowest = target.low > 0 ? [separator(theta, target.low, nearness)] : [];
  const highest = target.high > 0 ? [-separator(theta.map((value) => -value).reverse(), target.high, nearness)] : [];
  return [...lowest, ...highest].map((mu) => missBound(n, b, first, own(mu)));
}
