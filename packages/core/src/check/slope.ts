import type { Engine, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** How a Taylor remainder falls with t. */
export interface Slope {
  /** d log|r| / d log t at the smallest t above rounding; Infinity where the remainder is rounding alone */
  slope: number;
  expected: number;
  passed: boolean;
}

/** Steps t = 2⁻ᵏ: from a quarter of ‖X‖/√p down to where only rounding is left */
const COARSEST = 2;
const FINEST = 44;
/** Below this many times the rounding seen at the finest steps a remainder says nothing. */
const ABOVE_ROUNDING = 64;
/** A slope this much under the expected one is a failure: a term of lower order pulls it down by 1. */
const TOLERANCE = 0.25;

/**
 * The order of r(t) = O(t^expected) from |r(t)| + |r(−t)|, where neighbouring orders cancel. The rounding of r is taken from its
 * values at the finest steps: there is no knowing how the user sums. The median of the last three slopes above it is the answer.
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
