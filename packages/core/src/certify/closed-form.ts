import { digits } from "@expen/linalg";
import type { Curvature, Measured, Proof } from "../contracts/certificate.js";
import type { Objective } from "../contracts/objective.js";
import { valueRounding } from "./rounding.js";

/**
 * f* is given. `global` only if f(X) − f* is no more than a first-order point may be above it, 2√p‖R‖ and rounding,
 * and the curvature agrees: no negative Ritz value, which is seen before, and a bound that was shown. A saddle may come
 * as close. An f(X) below f* says that f* is not the minimum.
 */
export function closedFormProof(
  { n, p }: Objective,
  { measures }: Measured,
  optimum: number,
  { bound, scale }: Curvature,
): Proof {
  const gap = measures.fval - optimum;
  const rounding = valueRounding(measures, n, p) + 2 ** -50 * Math.sqrt(n * p) * (Math.abs(optimum) + p * scale);
  if (gap < -rounding) {
    return { missing: `f is below the given optimum by ${digits(-gap)}; is it the minimum?` };
  }
  const slack = 2 * Math.sqrt(p) * measures.stationarity + rounding;
  if (gap > slack || bound === undefined) return undefined;
  const gapBound = Math.max(gap, 0) + rounding;
  return { gapBound, because: "the closed form of f* is as low, up to rounding" };
}
