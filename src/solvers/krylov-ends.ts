/**
 * Which eigenvectors minimise ½⟨X, BXC⟩ over XᵀX = I: with C = UΓUᵀ, X = Σ_j v_σ(j)·u_jᵀ, where the positive γ, descending,
 * are paired with the smallest λ of B and the negative γ, ascending, with the largest (von Neumann's trace inequality).
 */
import { eigh } from "../linalg/eigh.js";
import type { Engine, Small } from "../types.js";

export interface Ends {
  /** how many eigenvalues are wanted at the lower and at the upper end */
  readonly low: number;
  readonly high: number;
  /** the place of the eigenvalue that belongs to γ_j among `count` ascending ones */
  place(j: number, count: number): number;
  readonly gamma: Float64Array;
  /**
   * At X = ZUᵀ with BZ = ZΛ + R the gradient of f is RΓUᵀ: the norms of the columns of RΓ, from those of all residuals in the order of
   * their eigenvalues
   */
  columnNorms(residual: Float64Array): Float64Array;
  /** s ← s·Uᵀ for columns that stand in the order of γ; as it is for C = I */
  turn(s: Float64Array): void;
}

export function wantedEnds(E: Engine, p: number, C: Small | undefined): Ends {
  if (!C) {
    const gamma = new Float64Array(p).fill(1);
    return {
      low: p,
      high: 0,
      gamma,
      place: (j) => j,
      columnNorms: (residual) => residual.subarray(0, p),
      turn: () => {},
    };
  }
  const { values: gamma, vectors } = eigh(E, C);
  const u = E.read(vectors);
  // γ is ascending: the negative ones come first, the most negative with the largest λ
  const high = gamma.filter((value) => value < 0).length;
  const place = (j: number, count: number): number => (j < high ? count - 1 - j : p - 1 - j);
  return {
    low: p - high,
    high,
    gamma,
    place,
    columnNorms: (residual) => gamma.map((value, j) => Math.abs(value) * residual[place(j, residual.length)]!),
    turn(s) {
      const row = new Float64Array(p);
      for (let at = 0; at < s.length; at += p) {
        for (let j = 0; j < p; j++) {
          let sum = 0;
          for (let k = 0; k < p; k++) sum += s[at + k]! * u[j * p + k]!;
          row[j] = sum;
        }
        s.set(row, at);
      }
    },
  };
}
