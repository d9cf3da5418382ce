import type { Engine } from "../contracts/engine.js";
import type { Small } from "../contracts/matrix.js";

/** Z ← S^(−1/2) for a symmetric positive definite S, which is destroyed; false if the iteration does not converge. */
type InverseRoot = (Z: Small, S: Small, tolerance?: number) => boolean;

/** Newton–Schulz steps at most. Convergence is quadratic once ‖K‖ is small; more steps mean κ(S) above about 1e3. */
const STEPS = 12;
/** Range of ‖S‖/√p in which S is not divided by it before K = S − I is formed: for a tiny S, K would be −I to rounding. */
const NORMAL = { least: 0.5, most: 2 };
/** Bound of the spectral radius of K below which convergence is guaranteed */
const NEAR = 0.95;

/**
 * Newton–Schulz in products of p×p matrices. With K = S − I, the dissolving map X ↦ X(I − ½K) of an X with XᵀX = S leads to
 * K₊ = (¼K − ¾I)K², so all its iterates follow from K alone: Z = Π(I − ½K_i). Before each step S = I + K is divided by the number that
 * minimises ‖K‖ (`centre`). The last factor is the truncated series of (I + K)^(−1/2), long enough for
 * ‖ZᵀSZ − I‖ ≤ ¾·tolerance².
 */
export function inverseRoot(E: Engine, p: number, usual = 1e-8): InverseRoot {
  const [T, W] = [E.small(p, p), E.small(p, p)];
  /** tr K, ‖K‖², tr K³ and ‖K²‖² */
  let [one, two, three, four] = [0, 0, 0, 0];
  const sums = new Float64Array(2);

  /** T ← K²; returns tr K, ‖K‖², tr K³ and ‖K²‖² */
  function square(K: Small): void {
    E.gram(T, K);
    E.dots(sums, [K, T], 2, T);
    [three, four] = [sums[0]!, sums[1]!];
  }

  /**
   * K and T = K² ← those of S/μ, μ = ‖S‖²/tr S, if S/μ is guaranteed to be near I; returns μ. Otherwise μ is at first a bound that is safe
   * for any S; after one step no eigenvalue exceeds 1, and μ = 1 is safe.
   */
  function centre(K: Small, first: boolean): number {
    const [before, beforeSquare] = [two, four];
    /** of K' = K/μ + cI */
    const moments = (mu: number): void => {
      const [a, c] = [1 / mu, 1 / mu - 1];
      const [aa, ac, cc] = [a * a, a * c, c * c];
      two = aa * before + 2 * ac * one + cc * p;
      four = aa * aa * beforeSquare + 4 * aa * ac * three + 6 * aa * cc * before + 4 * ac * cc * one + cc * cc * p;
    };
    let mu = (p + 2 * one + two) / (p + one);
    if (mu > 0) moments(mu);
    if (!(mu > 0 && four < NEAR ** 4)) {
      mu = first ? 1 + Math.sqrt(Math.sqrt(beforeSquare)) / 2 : 1;
      moments(mu);
    }
    const [a, c] = [1 / mu, 1 / mu - 1];
    three = a * a * a * three + 3 * a * a * c * before + 3 * a * c * c * one + c * c * c * p;
    one = a * one + c * p;
    E.combine(T, a * a, T, 2 * a * c, K);
    E.addDiagonal(T, c * c);
    E.combine(K, a, K, 0, K);
    E.addDiagonal(K, c);
    return mu;
  }

  /**
   * The number of powers of K in the series, 2 or 4; undefined if it needs more. With P up to the first, second or fourth power,
   * PᵀP(I + K) − I is ¾K², ⅝K³ or ½K⁵ plus higher powers, and ‖K^(2k+1)‖ ≤ ‖K²‖^k·‖K‖.
   */
  function powers(tolerance: number): 2 | 4 | undefined {
    // rounding may leave a small negative number in place of 0
    const [norm, square] = [Math.sqrt(Math.max(0, two)), Math.sqrt(Math.max(0, four))];
    if (square * norm <= 1.2 * tolerance ** 2) return 2;
    return square ** 2 * norm <= 1.5 * tolerance ** 2 ? 4 : undefined;
  }

  /** P ← (I + K)^(−1/2) = I − ½K + ⅜K² − 5/16·K³ + 35/128·K⁴ − …, truncated after K^powers; T = K²; K is destroyed */
  function series(P: Small, K: Small, powers: 1 | 2 | 4): void {
    if (powers === 1) E.combine(P, -0.5, K, 0, K);
    else E.combine(P, -0.5, K, 0.375, T);
    if (powers === 4) {
      E.combine(K, -5 / 16, K, 35 / 128, T);
      E.mul(P, K, T, 1, 1);
    }
    E.addDiagonal(P, 1);
  }

  return (Z, S, tolerance = usual) => {
    let scale = 1;
    let [K, next] = [S, W];
    const size = Math.sqrt(E.dot(S, S) / p);
    if (!(size > NORMAL.least && size < NORMAL.most)) {
      if (!(size > 1e-250 && size < 1e250)) return false;
      E.combine(K, 1 / size, K, 0, K);
      scale = size;
    }
    E.addDiagonal(K, -1);
    two = E.dot(K, K);
    // ‖I + K‖² = p + 2·tr K + ‖K‖²
    one = (p * ((size / scale) ** 2 - 1) - two) / 2;
    let hasFactor = false;
    for (let step = 1; ; step++) {
      let last: 1 | 2 | 4 | undefined = Math.sqrt(two) <= tolerance ? 1 : undefined;
      if (!last) {
        square(K);
        last = powers(tolerance);
      }
      if (!last) {
        scale *= centre(K, !hasFactor);
        last = powers(tolerance);
      }
      if (last) {
        series(hasFactor ? next : Z, K, last);
        break;
      }
      if (step === STEPS || !Number.isFinite(two)) return false;
      // K ← ¼K·K² − ¾K²
      E.copy(next, T);
      E.mul(next, K, T, 0.25, -0.75);
      E.symmetrize(next);
      // Z ← Z(I − ½K)
      if (hasFactor) {
        E.copy(T, Z);
        E.mul(Z, T, K, -0.5, 1);
      } else {
        E.combine(Z, -0.5, K, 0, K);
        E.addDiagonal(Z, 1);
        hasFactor = true;
      }
      [K, next] = [next, K];
      one = 0.25 * three - 0.75 * two;
      two = E.dot(K, K);
    }
    if (hasFactor) {
      E.copy(T, Z);
      E.mul(Z, T, next);
    }
    if (scale !== 1) E.combine(Z, 1 / Math.sqrt(scale), Z, 0, Z);
    return true;
  };
}
