import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { EPS } from "../rounding.js";
import { requireShape } from "../shape.js";
import { inverseRoot } from "./inverse-root.js";
import { type Orthonormalizer, orthonormalizer } from "./qr.js";

/**
 * Y ← X·(XᵀX)^(−1/2) = U·Vᵀ for X = U·Diag(s)·Vᵀ: the nearest matrix with orthonormal columns.
 * Returns the numerical rank of X; below p, Y is one of several nearest ones (U and V completed to orthonormal bases).
 */
type Polar = (Y: Tall, X: Tall) => number;

/** The polar factor up to ‖YᵀY − I‖ ≤ ¾·tolerance² */
export type ApproximatePolar = (Y: Tall, X: Tall, tolerance: number) => number;

/**
 * The polar factor to a tolerance, by Newton–Schulz on the p×p Gram matrix (inverse-root.ts) and one tall product.
 *
 * Forming XᵀX costs κ(X)² in accuracy, so if Newton–Schulz does not converge on it, X = Q·R and the singular value decomposition of R
 * are used; their scratch is allocated on first use.
 */
export function approximatePolar(E: Engine, n: number, p: number): ApproximatePolar {
  if (!(n >= p)) throw new EngineError(`polar: n is ${n} and p is ${p}; n ≥ p is needed.`);
  const [K, Z] = [E.small(p, p), E.small(p, p)];
  const root = inverseRoot(E, p);
  let general: { qr: Orthonormalizer; Q: Tall; R: Small; T: Small; s: Float64Array } | undefined;

  function generalPolar(Y: Tall, X: Tall): number {
    general ??= {
      qr: orthonormalizer(E, n, p),
      Q: E.tall(n, p),
      R: E.small(p, p),
      T: E.small(p, p),
      s: new Float64Array(p),
    };
    const { qr, Q, R, T, s } = general;
    qr(Q, X, R);
    E.factor.svd(K, s, T, R);
    E.mulT(R, K, T);
    E.mul(Y, Q, R);
    return s.filter((value) => value > n * EPS * s[0]!).length;
  }

  return (Y, X, tolerance) => {
    requireShape(X, n, p, "polar", "X");
    E.gram(K, X);
    if (!root(Z, K, tolerance)) return generalPolar(Y, X);
    E.mul(Y, X, Z);
    return p;
  };
}

/** The polar factor to rounding: if ‖YᵀY − I‖ exceeds rounding, a tall Newton–Schulz step follows. */
export function polar(E: Engine, n: number, p: number, nearby: ApproximatePolar = approximatePolar(E, n, p)): Polar {
  const K = E.small(p, p);
  let Z: Tall | undefined;
  return (Y, X) => {
    const rank = nearby(Y, X, 1e-8);
    E.gram(K, Y);
    E.addDiagonal(K, -1);
    if (E.dot(K, K) <= 64 * EPS * EPS * p) return rank;
    E.addDiagonal(K, -2);
    Z ??= E.tall(n, p);
    E.copy(Z, Y);
    E.mul(Y, Z, K, -0.5);
    return rank;
  };
}
