import type { Engine, Small } from "../types.js";

/** Z ← S^(−1/2) for a symmetric positive definite S, which is destroyed; false where S does not allow it. */
export type InverseRoot = (Z: Small, S: Small, tolerance?: number) => boolean;

/** Quadratic convergence does the rest once ‖K‖ is small; more steps than these mean κ(S) over some 1e3. */
const STEPS = 12;

/**
 * Newton–Schulz in products of p×p matrices. With K = S − I, the dissolving map X ↦ X(I − ½K) of an X with XᵀX = S leads to
 * K₊ = (¼K − ¾I)K², so all its iterates follow from K alone: Z = Π(I − ½K_i). Where the spectrum of S may leave (0, 2) it is first divided
 * by a bound of it, ‖S‖_∞. The last factor is the series of (I + K)^(−1/2) to as many powers as are needed (`lastFactor`); it leaves
 * ‖ZᵀSZ − I‖ ≤ ¾·tolerance².
 */
export function inverseRoot(E: Engine, p: number, usual = 1e-8): InverseRoot {
  const [T, W] = [E.small(p, p), E.small(p, p)];
  const bound = rowSums(E, p);
  return (Z, S, tolerance = usual) => newtonSchulz(E, Z, S, tolerance, T, W, bound);
}

/** A bound of the spectrum: ‖S‖_∞, the largest row sum; of complex matrices with |Re| + |Im| in the place of the modulus */
function rowSums(E: Engine, p: number): (S: Small) => number {
  let numbers: Float64Array | undefined;
  return (S) => rowSumNorm((numbers = E.read(S, numbers)), p);
}

function newtonSchulz(
  E: Engine,
  Z: Small,
  S: Small,
  tolerance: number,
  T: Small,
  W: Small,
  bound: (S: Small) => number,
): boolean {
  let scale = 1;
  E.copy(T, S);
  E.addDiagonal(T, -1);
  let norm = Math.sqrt(E.dot(T, T));
  if (!(norm < 0.9)) {
    scale = bound(S);
    if (!(scale > 1e-250 && scale < 1e250)) return false;
    E.combine(S, 1 / scale, S, 0, S);
  }
  E.addDiagonal(S, -1);
  let [K, next] = [S, W];
  if (scale !== 1) norm = Math.sqrt(E.dot(K, K));
  const enough = (norm: number): boolean => norm <= (1.5 * tolerance ** 2) ** 0.2;
  let begun = false;
  for (let step = 1; !enough(norm); step++) {
    if (step === STEPS) return false;
    // Z ← Z(I − ½K)
    if (begun) {
      E.copy(T, Z);
      E.mul(Z, T, K, -0.5, 1);
    } else {
      E.combine(Z, -0.5, K, 0, K);
      E.addDiagonal(Z, 1);
      begun = true;
    }
    // K ← ¼K·K² − ¾K²
    E.mul(T, K, K);
    E.copy(next, T);
    E.mul(next, K, T, 0.25, -0.75);
    E.symmetrize(next);
    [K, next] = [next, K];
    norm = Math.sqrt(E.dot(K, K));
  }
  lastFactor(E, begun ? next : Z, K, norm, tolerance, T);
  if (begun) {
    E.copy(T, Z);
    E.mul(Z, T, next);
  }
  if (scale !== 1) E.combine(Z, 1 / Math.sqrt(scale), Z, 0, Z);
  return true;
}

/**
 * P ← the series (I + K)^(−1/2) = I − ½K + ⅜K² − 5/16·K³ + 35/128·K⁴ − … to the first power, the second or the fourth, with 0, 1 or 2
 * products: PᵀP(I + K) − I is then ¾K², ⅝K³ or ½K⁵ and higher powers, and so at most ¾·tolerance².
 */
function lastFactor(E: Engine, P: Small, K: Small, norm: number, tolerance: number, T: Small): void {
  if (norm <= tolerance) E.combine(P, -0.5, K, 0, K);
  else {
    E.mul(T, K, K);
    E.combine(P, -0.5, K, 0.375, T);
    if (norm ** 3 > 1.2 * tolerance ** 2) {
      E.combine(K, -5 / 16, K, 35 / 128, T);
      E.mul(P, K, T, 1, 1);
    }
  }
  E.addDiagonal(P, 1);
}

function rowSumNorm(s: Float64Array, p: number): number {
  let norm = 0;
  for (let i = 0; i < p; i++) {
    let sum = 0;
    for (let row = i * p; row < s.length; row += p * p) for (let j = 0; j < p; j++) sum += Math.abs(s[row + j]!);
    // NaN must not be lost in a maximum
    if (!(sum <= norm)) norm = sum;
    if (Number.isNaN(norm)) return norm;
  }
  return norm;
}
