import type { Measured, Proof } from "@expen/core";
import { gamma } from "@expen/core/certify";
import { digits } from "@expen/linalg";

/** Upper bound of λmax(S) */
export const highest = ({ lambda }: Measured): number =>
  lambda.at(-1)! + gamma(16 * lambda.length) * Math.hypot(...lambda);

/**
 * f = ½⟨X, BX⟩ + ⟨L, X⟩ + constant and λmin(B) ≥ λmax(S) − δ. Then g(Z) = f(Z) − ½⟨S, ZᵀZ − I⟩ has the Hessian D ↦ BD − DS ⪰ −δ,
 * equals f on the manifold, and ∇g(X) = R. With ‖Z − X‖² ≤ 4p:
 *
 *     f(X) − f* ≤ 2√p‖R‖ + 2pδ.
 *
 * Rounding: of f and of ⟨R, Z − X⟩, and ½‖S‖η for an X that is orthonormal up to η.
 */
export function linearBound(point: Measured, delta: number, norm: number, constant: number, how: string): Proof {
  const { X, lambda, measures } = point;
  const { stationarity, feasibility: eta, fval, gradient } = measures;
  const [n, p] = [X.rows, X.cols];
  const size = Math.abs(fval) + Math.abs(constant) + Math.sqrt(p) * gradient + p * norm;
  const rounding = 8 * gamma(n + p) * size + Math.hypot(...lambda) * eta;
  const gapBound = (1 + eta) * (2 * Math.sqrt(p) * stationarity + 2 * p * delta) + rounding;
  const inequality = `λmin(B) ≥ λmax(S) = ${digits(lambda.at(-1)!)} up to ${digits(delta)}`;
  return { gapBound, because: `${inequality} (${how})` };
}
