import type { Engine, Small } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";

/** S = V·Diag(values)·Vᵀ, ascending, as a factorization gave it; V left out is the identity. */
export interface Spectrum {
  readonly values: Float64Array;
  readonly vectors?: Small;
}

/** Of ‖S‖: rounding of a factorization and of two products */
const ROUNDING = 1e-12;

/**
 * Upper bounds on the eigenvalues of S, from an offered factorization that is checked against S and costs two products instead of another
 * one. With ρ = ‖S − VΛVᵀ‖ is λ_i(S) ≤ λ_i(VΛVᵀ) + ρ (Weyl), and VΛVᵀ has the signs of Λ whatever V is (Sylvester). Nothing where ρ is
 * no rounding: then it is not of this S.
 */
export function confirmed(E: Engine, S: Small, spectrum: Spectrum): Float64Array | undefined {
  const rho = factorizationError(E, S, spectrum);
  return rho <= ROUNDING * norm(E, S) ? spectrum.values.map((w) => w + rho) : undefined;
}

/** ‖S − VΛVᵀ‖ */
export function factorizationError(E: Engine, S: Small, { values, vectors: V }: Spectrum): number {
  const p = S.rows;
  const diagonal = new Float64Array(p * p);
  values.forEach((w, j) => void (diagonal[j * (p + 1)] = -w));
  const rest = E.small(p, p, diagonal);
  if (V) {
    const VL = E.small(p, p);
    E.mul(VL, V, rest);
    E.mulT(rest, VL, V);
  }
  E.combine(rest, 1, S, 1, rest);
  return norm(E, rest);
}
