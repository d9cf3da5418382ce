import type { Engine, Small } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";

/** S = V·Diag(values)·Vᵀ from a factorization, values ascending; V left out is I. */
export interface Spectrum {
  readonly values: Float64Array;
  readonly vectors?: Small;
}

/** Roundoff of a factorization and two products, relative to ‖S‖ */
const ROUNDING = 1e-12;

/**
 * Upper bounds of the eigenvalues of S from a factorization of the caller, checked by two products. With ρ = ‖S − VΛVᵀ‖,
 * λ_i(S) ≤ λ_i(VΛVᵀ) + ρ (Weyl), and VΛVᵀ has the signs of Λ for any V (Sylvester). Undefined if ρ is above roundoff: then the
 * factorization is not of this S.
 */
export function upperEigenvalues(E: Engine, S: Small, spectrum: Spectrum): Float64Array | undefined {
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
