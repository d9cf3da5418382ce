import type { Engine } from "@expen/linalg";
import { eigenvalues } from "@expen/linalg/dense";
import type { Measured, Proof } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { linearPartOn } from "../objective/linear-part.js";
import { valueRounding } from "./rounding.js";

/** The bound below, relative to ‖λ‖, up to which it is roundoff of the eigenvalues */
const ROUNDING = 1e-12;

/**
 * The proof for f = ⟨L, X⟩ + constant on orthonormal columns, or on rotations. With S = sym(XᵀL) and R = L − XS, and a feasible Y,
 *
 *     f(X) − f(Y) = ⟨S, I − XᵀY⟩ + ⟨R, X − Y⟩ ≤ tr S + Σ|λ_i| + 2√p‖R‖,
 *
 * as ‖XᵀY‖₂ ≤ 1 (von Neumann), λ the eigenvalues of S. Where XᵀY is a rotation and det(−S) < 0, it is 2·min|λ_i| less [Kabsch 1976; Umeyama
 * 1991].
 */
export function linearProof(E: Engine, f: Objective, on: Constraint, { X, measures }: Measured): Proof {
  const L = linearPartOn(on, f.quadratic);
  if (!L) return undefined;
  const { n, p } = f;
  const S = E.small(p, p);
  E.tmul(S, X, L);
  E.symmetrize(S);
  const lambda = eigenvalues(E, S);
  const size = Math.hypot(...lambda);
  const excess = excessOf(lambda, on.traits.isRotation === true);
  if (!(excess <= ROUNDING * size)) return undefined;
  const { stationarity, feasibility } = measures;
  const rounding = valueRounding(measures, n, p) + size * feasibility;
  const gapBound = (1 + feasibility) * (2 * Math.sqrt(p) * stationarity + excess) + rounding;
  return { gapBound, because: "f is linear on the manifold, and X the nearest point to −L" };
}

/** tr S + the largest −⟨S, W⟩ of all W with ‖W‖₂ ≤ 1, or of all rotations, from the eigenvalues of S */
function excessOf(lambda: Float64Array, rotations: boolean): number {
  let [sum, positive, least] = [0, 0, Number.POSITIVE_INFINITY];
  for (const value of lambda) {
    if (value > 0) {
      sum += value;
      positive++;
    }
    least = Math.min(least, Math.abs(value));
  }
  return 2 * (rotations && positive % 2 === 1 ? sum - least : sum);
}
