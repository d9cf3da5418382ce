/**
 * The eigenvectors of B that minimise ½⟨X, BXC⟩ over XᵀX = I: with C = UΓUᵀ, X = Σ_j v_σ(j)·u_jᵀ, where the positive γ, descending, are
 * paired with the smallest λ of B and the negative γ, ascending, with the largest (von Neumann's trace inequality).
 */

import type { Engine, Small } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";

export interface Pairing {
  /** number of wanted eigenvalues at the lower and at the upper end */
  readonly low: number;
  readonly high: number;
  /** U of C = UΓUᵀ, γ ascending; absent where C = I */
  readonly U?: Small;
  /** index of the eigenvalue paired with γ_j, among `count` ascending ones */
  place(j: number, count: number): number;
  /** f − constant at the eigenvectors of the wanted ones of these values */
  value(theta: Float64Array): number;
  /**
   * The norms of the columns of RΓ, from the residual norms in the order of the eigenvalues: at X = ZUᵀ with BZ = ZΛ + R the gradient
   * of f is RΓUᵀ
   */
  columnNorms(residual: Float64Array): Float64Array;
  /** s ← s·Uᵀ for columns in the order of γ */
  multiplyByUt(s: Float64Array): void;
}

export function pairing(E: Engine, p: number, C: Small | undefined): Pairing {
  if (!C) {
    return {
      low: p,
      high: 0,
      value: (theta) => 0.5 * theta.subarray(0, p).reduce((sum, value) => sum + value, 0),
      place: (j) => j,
      columnNorms: (residual) => residual.subarray(0, p),
      multiplyByUt: () => {},
    };
  }
  const { values: gamma, vectors: U } = eigh(E, C);
  // γ is ascending: the negative ones come first, the most negative with the largest λ
  const high = gamma.filter((value) => value < 0).length;
  const place = (j: number, count: number): number => (j < high ? count - 1 - j : p - 1 - j);
  return {
    low: p - high,
    high,
    U,
    value: (theta) => 0.5 * gamma.reduce((sum, value, j) => sum + value * theta[place(j, theta.length)]!, 0),
    place,
    columnNorms: (residual) => gamma.map((value, j) => Math.abs(value) * residual[place(j, residual.length)]!),
    multiplyByUt(s) {
      const S = E.small(s.length / p, p, s);
      const product = E.small(S.rows, p);
      E.mulT(product, S, U);
      E.read(product, s);
    },
  };
}
