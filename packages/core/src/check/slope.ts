import type { Engine, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** The order of a Taylor remainder in t */
export interface Slope {
  /** d log|r| / d log t at the smallest t above roundoff; Infinity if the remainder is roundoff alone */
  slope: number;
  expected: number;
  passed: boolean;
}

/** k of the largest step t = 2⁻ᵏ, relative to columns of length 1 */
const COARSEST = 2;
/** k of the smallest step, at which remainders are roundoff */
const FINEST = 44;
/** A remainder counts if it is above this many times the roundoff at the finest steps. */
const ABOVE_ROUNDING = 64;
/** A slope fails if it is this much below the expected one; a term of lower order makes it 1 less. */
const TOLERANCE = 0.25;

/**
 * The order of r(t) = O(t^expected) from |r(t)| + |r(−t)|, in which neighbouring orders cancel: the median of the last three slopes above
 * roundoff, which is taken from the values at the finest steps, as the summation of f is unknown.
 */
export function slopeOf(remainder: (t: number) => number, expected: number): Slope {
  const r: number[] = [];
  for (let k = COARSEST; k <= FINEST; k++) r.push(Math.abs(remainder(2 ** -k)) + Math.abs(remainder(-(2 ** -k))));
  const floor = ABOVE_ROUNDING * Math.max(...r.slice(-4), Number.MIN_VALUE);
  const slopes: number[] = [];
  for (let i = 1; i < r.length && r[i]! > floor; i++) slopes.push(Math.log2(r[i - 1]! / r[i]!));
  if (slopes.length === 0) {
    const finite = r.every(Number.isFinite);
    return { slope: finite ? Number.POSITIVE_INFINITY : Number.NaN, expected, passed: finite };
  }
  const last = slopes.slice(-3).sort((a, b) => a - b);
  const slope = last[Math.floor(last.length / 2)]!;
  return { slope, expected, passed: slope >= expected - TOLERANCE };
}

/**
 * Slopes at X along the unit D, scaled so that t = 1 moves a column by about its own length:
 *
 *     f(X+tD) − f(X) − t⟨G, D⟩ = O(t²),     … − ½t²⟨D, H⟩ = O(t³),     G = ∇f(X), H = ∇²f(X)[D]
 */
export function taylorSlopes(
  E: Engine,
  f: Objective,
  X: Tall,
  D: Tall,
  Y: Tall,
  G: Tall,
  H?: Tall,
): { gradient: Slope; hessian?: Slope } {
  const f0 = f.f(X);
  const [first, second] = [E.dot(G, D), H ? 0.5 * E.dot(D, H) : 0];
  const at = (t: number): number => {
    E.combine(Y, 1, X, t, D);
    return f.f(Y) - f0;
  };
  return {
    gradient: slopeOf((t) => at(t) - t * first, 2),
    ...(H && { hessian: slopeOf((t) => at(t) - t * first - t * t * second, 3) }),
  };
}
