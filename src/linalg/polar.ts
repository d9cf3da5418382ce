import { EngineError } from "../engines/engine.js";
import type { Engine, Matrix } from "../types.js";
import { distanceToIdentity, type Orthonormalizer, orthonormalizer } from "./qr.js";
import { EPS, requireShape } from "./scale.js";
import { type SvdSolver, svdSolver } from "./svd.js";

/**
 * Y ← X·(XᵀX)^(−1/2) = U·Vᵀ for X = U·Diag(s)·Vᵀ: the nearest matrix with orthonormal columns.
 * Returns the numerical rank of X; below p, Y is one of several nearest ones (U and V completed to orthonormal bases).
 */
export type Polar = (Y: Matrix, X: Matrix) => number;

/**
 * Newton–Schulz on the p×p Gram matrix, one tall product, and a tall correction where rounding left something:
 * with K = XᵀX − I the step A(X) = X(I − ½K) has K(A(X)) = (¼K − ¾I)K², so the steps depend on K alone and
 * Y = X·Z with Z = Π(I − ½K_i). Where the spectrum of XᵀX may leave (0, 2) it is first divided by ‖XᵀX‖_∞.
 *
 * Forming XᵀX costs κ(X)² in accuracy, so more than 12 steps (κ² over some 1e3) or a Gram matrix out of range are left to
 * X = Q·R and the singular value decomposition of R.
 */
export function polar(E: Engine, n: number, p: number): Polar {
  if (!(n >= p)) throw new EngineError(`polar: n is ${n} and p is ${p}; n ≥ p is needed.`);
  const [K, T, Z, W] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const tall = E.matrix(n, p);
  let general: { qr: Orthonormalizer; svd: SvdSolver; R: Matrix; s: Float64Array } | undefined;

  /** Z ← (XᵀX)^(−1/2) given XᵀX in K; false where the Gram matrix does not allow it */
  function inverseRoot(): boolean {
    let scale = 1;
    if (!(distanceToIdentity(K) < 0.9)) {
      scale = rowSumNorm(K);
      if (!(scale > 1e-250 && scale < 1e250)) return false;
      E.axpby(K, 0, T, 1 / scale);
    }
    E.addDiagonal(K, -1);
    E.fill(Z, 0);
    E.addDiagonal(Z, 1 / Math.sqrt(scale));
    for (let step = 0; step < 12; step++) {
      const norm = Math.sqrt(E.inner(K, K).value);
      // Z ← Z(I − ½K)
      E.copy(T, Z);
      E.mul(Z, T, K, -0.5, 1);
      if (norm < 1e-8) return true;
      // K ← (¼K − ¾I)K²
      E.mul(T, K, K);
      E.axpby(W, 0.25, K, 0);
      E.addDiagonal(W, -0.75);
      E.mul(K, W, T);
      E.symmetrize(K);
    }
    return false;
  }

  function generalPolar(Y: Matrix, X: Matrix): number {
    general ??= { qr: orthonormalizer(E, n, p), svd: svdSolver(E, p, p), R: E.matrix(p, p), s: new Float64Array(p) };
    const { qr, svd, R, s } = general;
    qr(tall, X, R);
    svd(K, s, T, R);
    E.mulT(Z, K, T);
    E.mul(Y, tall, Z);
    return s.filter((value) => value > n * EPS * s[0]!).length;
  }

  /** One tall Newton–Schulz step where YᵀY − I is above rounding */
  function correct(Y: Matrix): void {
    E.gram(K, Y);
    if (distanceToIdentity(K) <= 4 * EPS * Math.sqrt(p)) return;
    E.addDiagonal(K, -3);
    E.copy(tall, Y);
    E.mul(Y, tall, K, -0.5);
  }

  return (Y, X) => {
    requireShape(X, n, p, "polar", "X");
    E.gram(K, X);
    let rank = p;
    if (inverseRoot()) E.mul(Y, X, Z);
    else rank = generalPolar(Y, X);
    correct(Y);
    return rank;
  };
}

/** ‖S‖_∞, the largest row sum */
function rowSumNorm({ rows, cols, data }: Matrix): number {
  let norm = 0;
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < cols; j++) sum += Math.abs(data[i * cols + j]!);
    // NaN must not be lost in a maximum
    if (!(sum <= norm)) norm = sum;
    if (Number.isNaN(norm)) return norm;
  }
  return norm;
}
