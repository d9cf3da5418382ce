import { EngineError } from "../errors.js";
import type { Engine, Matrix } from "../types.js";
import { inverseRoot } from "./inverse-root.js";
import { distanceToIdentity, type Orthonormalizer, orthonormalizer } from "./qr.js";
import { EPS, requireShape } from "./scale.js";
import { type SvdSolver, svdSolver } from "./svd.js";

/**
 * Y ← X·(XᵀX)^(−1/2) = U·Vᵀ for X = U·Diag(s)·Vᵀ: the nearest matrix with orthonormal columns.
 * Returns the numerical rank of X; below p, Y is one of several nearest ones (U and V completed to orthonormal bases).
 */
export type Polar = (Y: Matrix, X: Matrix) => number;

/**
 * The polar factor with ‖YᵀY − I‖ ≤ ¾·tolerance², by Newton–Schulz on the p×p Gram matrix (inverse-root.ts) and one tall product.
 *
 * Forming XᵀX costs κ(X)² in accuracy, so a Gram matrix on which Newton–Schulz does not converge is left to X = Q·R and the singular
 * value decomposition of R, whose scratch is made when it is needed.
 */
export function approximatePolar(E: Engine, n: number, p: number, tolerance: number): Polar {
  if (!(n >= p)) throw new EngineError(`polar: n is ${n} and p is ${p}; n ≥ p is needed.`);
  const [K, Z] = [E.matrix(p, p), E.matrix(p, p)];
  const root = inverseRoot(E, p, tolerance);
  let general: { qr: Orthonormalizer; svd: SvdSolver; Q: Matrix; R: Matrix; T: Matrix; s: Float64Array } | undefined;

  function generalPolar(Y: Matrix, X: Matrix): number {
    general ??= {
      qr: orthonormalizer(E, n, p),
      svd: svdSolver(E, p, p),
      Q: E.matrix(n, p),
      R: E.matrix(p, p),
      T: E.matrix(p, p),
      s: new Float64Array(p),
    };
    const { qr, svd, Q, R, T, s } = general;
    qr(Q, X, R);
    svd(K, s, T, R);
    E.mulT(R, K, T);
    E.mul(Y, Q, R);
    return s.filter((value) => value > n * EPS * s[0]!).length;
  }

  return (Y, X) => {
    requireShape(X, n, p, "polar", "X");
    E.gram(K, X);
    if (!root(Z, K)) return generalPolar(Y, X);
    E.mul(Y, X, Z);
    return p;
  };
}

/** The polar factor to rounding: a tall Newton–Schulz step follows where rounding left something. */
export function polar(E: Engine, n: number, p: number): Polar {
  const factor = approximatePolar(E, n, p, 1e-8);
  const K = E.matrix(p, p);
  let Z: Matrix | undefined;
  return (Y, X) => {
    const rank = factor(Y, X);
    E.gram(K, Y);
    if (distanceToIdentity(K) <= 4 * EPS * Math.sqrt(p)) return rank;
    E.addDiagonal(K, -3);
    Z ??= E.matrix(n, p);
    E.copy(Z, Y);
    E.mul(Y, Z, K, -0.5);
    return rank;
  };
}
