import type { Measured, Proof } from "../contracts/certificate.js";
import type { Objective } from "../contracts/objective.js";
import { valueRounding } from "./rounding.js";

/**
 * The proof for f convex on ℝⁿˣᵖ, with S = S₊ + S₋ split by the signs of eigenvalues. Then g(Z) = f(Z) − ½⟨S₋, ZᵀZ − I⟩ is convex, equals f
 * on the manifold, and ∇g(X) = R + XS₊. For feasible Z: ‖Z − X‖ ≤ 2√p and ⟨XS₊, Z − X⟩ ≥ −2·tr S₊, hence
 *
 *     f(X) − f* ≤ 2√p‖R‖ + 2·tr S₊,
 *
 * which is a proof if tr S₊ is roundoff. An X that is feasible up to η = ‖XᵀX − I‖ adds ½‖S‖η to g(X) = f(X).
 */
export function convexProof({ n, p, convex }: Objective, { lambda, measures }: Measured): Proof {
  if (!convex) return undefined;
  const size = Math.hypot(...lambda);
  const positive = lambda.reduce((sum, v) => sum + Math.max(v, 0), 0);
  if (positive > 1e-12 * size) return undefined;
  const { stationarity, feasibility } = measures;
  const eta = 1 + feasibility;
  const rounding = valueRounding(measures, n, p) + size * feasibility;
  const gapBound = eta * (2 * Math.sqrt(p) * stationarity + 2 * positive) + rounding;
  return { gapBound, because: "f is convex and the multiplier S ⪯ 0" };
}
