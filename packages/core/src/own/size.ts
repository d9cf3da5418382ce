import type { Engine, Tall } from "@expen/linalg";
import type { Equations } from "./equations.js";

/** Sizes that are tried: 2^k for |k| up to this */
const POWERS = 24;
/** A size other than that of X must be nearer to the set by this factor, and nearer than the largest size. */
const NEARER = 0.5;

/**
 * t, a power of two, for which tX is nearest to c = 0 along the ray, measured by ‖c(tX)‖/‖c(2tX) − c(tX)‖: random numbers of size 1 may be
 * far from a set in other units. 1 where c is homogeneous, so that all sizes are alike, and where the ray never meets the set, as that of
 * an X with xy < 0 and xy = 1, so that large sizes are.
 */
export function sizeNear(E: Engine, c: Equations, X: Tall): number {
  const Y = E.tall(X.rows, X.cols);
  const valuesAt = (t: number): Float64Array => {
    E.combine(Y, t, X, 0, X);
    const out = new Float64Array(c.size);
    c.value(out, Y);
    return out;
  };
  const exponents = Array.from({ length: 2 * POWERS + 1 }, (_, k) => k - POWERS);
  const values = [...exponents, POWERS + 1].map((k) => valuesAt(2 ** k));
  const distances = exponents.map((_, k) => {
    const [at, next] = [values[k]!, values[k + 1]!];
    const distance = Math.hypot(...at) / Math.hypot(...at.map((v, i) => next[i]! - v));
    return Number.isFinite(distance) ? distance : Number.POSITIVE_INFINITY;
  });
  const least = Math.min(...distances);
  const others = Math.min(distances[POWERS]!, distances.at(-1)!);
  return least < NEARER * others ? 2 ** exponents[distances.indexOf(least)]! : 1;
}
