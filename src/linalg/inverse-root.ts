import type { Engine, Small } from "../types.js";

/** Z ← S^(−1/2) for a symmetric positive definite S, which is destroyed; false where S does not allow it. */
export type InverseRoot = (Z: Small, S: Small) => boolean;

/** Quadratic convergence does the rest once ‖K‖ is small; more steps than these mean κ(S) over some 1e3. */
const STEPS = 12;

/**
 * Newton–Schulz in products of p×p matrices. With K = S − I, the dissolving map X ↦ X(I − ½K) of an X with XᵀX = S leads to
 * K₊ = (¼K − ¾I)K², so all its iterates follow from K alone: Z = Π(I − ½K_i). Where the spectrum of S may leave (0, 2) it is first divided
 * by a bound of it. The last step is taken from ‖K‖ ≤ tolerance and leaves ‖ZᵀSZ − I‖ ≤ ¾·tolerance².
 */
export function inverseRoot(E: Engine, p: number, tolerance = 1e-8): InverseRoot {
  const [T, W] = [E.small(p, p), E.small(p, p)];
  const bound = rowSums(E, p);
  return (Z, S) => newtonSchulz(E, Z, S, tolerance, T, W, bound);
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
  let K = S;
  let next = W;
  let scale = 1;
  E.copy(T, K);
  E.addDiagonal(T, -1);
  if (!(E.dot(T, T) < 0.81)) {
    scale = bound(K);
    if (!(scale > 1e-250 && scale < 1e250)) return false;
    E.combine(K, 1 / scale, K, 0, K);
  }
  E.addDiagonal(K, -1);
  E.combine(Z, -0.5, K, 0, Z);
  E.addDiagonal(Z, 1);
  for (let step = 1; step < STEPS; step++) {
    if (E.dot(K, K) <= tolerance * tolerance) {
      if (scale !== 1) E.combine(Z, 1 / Math.sqrt(scale), Z, 0, Z);
      return true;
    }
    // K ← ¼K·K² − ¾K²
    E.mul(T, K, K);
    E.copy(next, T);
    E.mul(next, K, T, 0.25, -0.75);
    E.symmetrize(next);
    const last = K;
    K = next;
    next = last;
    // Z ← Z(I − ½K)
    E.copy(T, Z);
    E.mul(Z, T, K, -0.5, 1);
  }
  return false;
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
