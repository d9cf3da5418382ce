import type { Engine, Small } from "../types.js";

/** Z ← S^(−1/2) for a symmetric positive definite S, which is destroyed; false where S does not allow it. */
export type InverseRoot = (Z: Small, S: Small) => boolean;

/** Quadratic convergence does the rest once ‖K‖ is small; more steps than these mean κ(S) over some 1e3. */
const STEPS = 12;
/** ‖K‖ from which S is divided by the mean of its eigenvalues before K is formed: of a tiny S nothing would be left in it. */
const FAR = 0.9;
/** A bound of the spectral radius of K below which steps surely converge */
const NEAR = 0.95;

/**
 * Newton–Schulz in products of p×p matrices. With K = S − I, the dissolving map X ↦ X(I − ½K) of an X with XᵀX = S leads to
 * K₊ = (¼K − ¾I)K², so all its iterates follow from K alone: Z = Π(I − ½K_i). Before each step S = I + K is divided by the number that makes
 * ‖K‖ least (`centre`). The last factor is the series of (I + K)^(−1/2) to as many powers as are needed; it leaves
 * ‖ZᵀSZ − I‖ ≤ ¾·tolerance².
 */
export function inverseRoot(E: Engine, p: number, tolerance = 1e-8): InverseRoot {
  const [T, W, V, I] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  E.addDiagonal(I, 1);
  const length = (A: Small): number => Math.sqrt(E.dot(A, A));

  /**
   * K and T = K² ← those of S/μ, μ = ‖S‖²/tr S, where that surely is near enough to I; returns μ. Else, at first, one that is safe for any S:
   * after a step there is no eigenvalue above 1, and μ = 1 is.
   */
  function centre(K: Small, first: boolean): number {
    const [one, two, three, four] = [E.dot(K, I), E.dot(K, K), E.dot(K, T), E.dot(T, T)];
    let mu = (p + 2 * one + two) / (p + one);
    if (!(mu > 0)) return 1;
    let [a, c] = [1 / mu, 1 / mu - 1];
    // ‖K'²‖ for K' = aK + cI
    const square = a ** 4 * four + 4 * a ** 3 * c * three + 6 * a * a * c * c * two + 4 * a * c ** 3 * one + c ** 4 * p;
    if (!(square < NEAR ** 4)) {
      mu = first ? 1 + Math.sqrt(Math.sqrt(four)) / 2 : 1;
      [a, c] = [1 / mu, 1 / mu - 1];
    }
    E.combine(T, a * a, T, 2 * a * c, K);
    E.addDiagonal(T, c * c);
    E.combine(K, a, K, 0, K);
    E.addDiagonal(K, c);
    return mu;
  }

  /**
   * How many powers of K the series needs, by ‖K‖ and ‖K²‖: 1, 2, 4, or more. With P up to the first, the second or the fourth power
   * PᵀP(I + K) − I is ¾K², ⅝K³ or ½K⁵ and higher powers.
   */
  function powers(norm: number): 2 | 4 | undefined {
    const radius = length(T);
    if (radius * norm <= 1.2 * tolerance ** 2) return 2;
    return radius ** 2 * norm <= 1.5 * tolerance ** 2 ? 4 : undefined;
  }

  /** P ← the series (I + K)^(−1/2) = I − ½K + ⅜K² − 5/16·K³ + 35/128·K⁴ − … to so many powers, T = K²; K is destroyed */
  function series(P: Small, K: Small, powers: 1 | 2 | 4): void {
    if (powers === 1) E.combine(P, -0.5, K, 0, K);
    else E.combine(P, -0.5, K, 0.375, T);
    if (powers === 4) {
      E.combine(K, -5 / 16, K, 35 / 128, T);
      E.mul(P, K, T, 1, 1);
    }
    E.addDiagonal(P, 1);
  }

  return (Z, S) => {
    let scale = 1;
    let [K, next] = [S, W];
    const [mean, square] = [E.dot(S, I) / p, E.dot(S, S)];
    if (!(square - (2 * mean - 1) * p < FAR ** 2)) {
      scale = mean;
      if (!(scale > 1e-250 && scale < 1e250)) return false;
      E.combine(K, 1 / scale, K, 0, K);
    }
    E.addDiagonal(K, -1);
    let begun = false;
    for (let step = 1; ; step++) {
      const norm = length(K);
      let last: 1 | 2 | 4 | undefined = norm <= tolerance ? 1 : undefined;
      if (!last) {
        E.gram(T, K);
        last = powers(norm);
      }
      if (!last) {
        scale *= centre(K, !begun);
        last = powers(length(K));
      }
      if (last) {
        series(begun ? next : Z, K, last);
        break;
      }
      if (step === STEPS || !Number.isFinite(norm)) return false;
      // Z ← Z(I − ½K)
      if (begun) {
        E.copy(V, Z);
        E.mul(Z, V, K, -0.5, 1);
      } else {
        E.combine(Z, -0.5, K, 0, K);
        E.addDiagonal(Z, 1);
        begun = true;
      }
      // K ← ¼K·K² − ¾K²
      E.copy(next, T);
      E.mul(next, K, T, 0.25, -0.75);
      E.symmetrize(next);
      [K, next] = [next, K];
    }
    if (begun) {
      E.copy(V, Z);
      E.mul(Z, V, next);
    }
    if (scale !== 1) E.combine(Z, 1 / Math.sqrt(scale), Z, 0, Z);
    return true;
  };
}
