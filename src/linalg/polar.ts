import { EPS } from "../arrays/scale.js";
import { EngineError } from "../errors.js";
import { requireShape } from "../shape.js";
import type { Engine, Matrix } from "../types.js";
import { inverseRoot } from "./inverse-root.js";
import { type Orthonormalizer, orthonormalizer } from "./qr.js";
import { within } from "./tall.js";

/**
 * Y ← X·(XᵀX)^(−1/2) = U·Vᵀ for X = U·Diag(s)·Vᵀ: the nearest matrix with orthonormal columns.
 * Returns the numerical rank of X; below p, Y is one of several nearest ones (U and V completed to orthonormal bases).
 */
export type Polar = (Y: Matrix, X: Matrix) => number;

/**
 * Newton–Schulz on the p×p Gram matrix (inverse-root.ts), one tall product, and a tall correction where rounding left something.
 *
 * Forming XᵀX costs κ(X)² in accuracy, so a Gram matrix that Newton–Schulz does not like is left to X = Q·R and the singular value
 * decomposition of R. `scratch` (n×p) and K (p×p) are overwritten; without `scratch` a matrix is made when one is needed.
 */
export function polar(E: Engine, n: number, p: number, scratch?: Matrix, K: Matrix = E.small(p, p)): Polar {
  if (!(n >= p)) throw new EngineError(`polar: n is ${n} and p is ${p}; n ≥ p is needed.`);
  // of no use any more when the whole of the scratch is needed
  const take = scratch ? within(E, p, scratch) : (rows: number): Matrix => E.small(rows, p);
  const Z = take(p);
  const root = inverseRoot(E, p, undefined, [take(p), take(p)]);
  let tall = scratch;
  let general: { qr: Orthonormalizer; R: Matrix; T: Matrix; s: Float64Array } | undefined;

  function generalPolar(Y: Matrix, X: Matrix): number {
    general ??= {
      qr: orthonormalizer(E, n, p),
      R: E.small(p, p),
      T: E.small(p, p),
      s: new Float64Array(p),
    };
    const { qr, R, T, s } = general;
    tall ??= E.tall(n, p);
    qr(tall, X, R);
    E.factor.svd(K, s, T, R);
    E.mulT(R, K, T);
    E.mul(Y, tall, R);
    return s.filter((value) => value > n * EPS * s[0]!).length;
  }

  /** One tall Newton–Schulz step where YᵀY − I is above rounding */
  function correct(Y: Matrix): void {
    E.gram(K, Y);
    E.addDiagonal(K, -1);
    if (E.dot(K, K) <= 16 * EPS * EPS * p) return;
    E.addDiagonal(K, -2);
    tall ??= E.tall(n, p);
    E.copy(tall, Y);
    E.mul(Y, tall, K, -0.5);
  }

  return (Y, X) => {
    requireShape(X, n, p, "polar", "X");
    E.gram(K, X);
    let rank = p;
    if (root(Z, K)) E.mul(Y, X, Z);
    else rank = generalPolar(Y, X);
    correct(Y);
    return rank;
  };
}
