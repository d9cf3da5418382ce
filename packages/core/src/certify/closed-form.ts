import { digits } from "@expen/linalg";
import type { Curvature, Measured, Proof } from "../contracts/certificate.js";
import type { Objective } from "../contracts/objective.js";
import { valueRounding } from "./rounding.js";

/**
 * The proof for a known minimum f*: f(X) − f* ≤ 2√p‖R‖ + roundoff, the distance of a first-order point, and a bound of the curvature; the
 * caller has excluded negative Ritz values. The gradient alone is no proof, as a saddle may come as close. If f(X) < f*, then f* is not
 * the minimum.
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
