import type { Engine, Matrix, Nonsmooth } from "../types.js";

/** r(X) and its proximal map, for the two norms that favour zeros. */
export interface Proximal {
  value(X: Matrix): number;
  /** T ← argmin r(T) + ‖T − Z‖²/(2η) */
  prox(T: Matrix, Z: Matrix, eta: number): void;
}

/**
 *     l1:   T_ij = sign(Z_ij)·max(|Z_ij| − wη, 0),              r(X) = w·Σ|X_ij|
 *     l21:  T_i  = max(1 − wη/‖Z_i‖, 0)·Z_i,   i a row,          r(X) = w·Σ‖X_i‖
 */
export function proximal(E: Engine, n: number, { kind, weight }: Nonsmooth): Proximal {
  if (kind === "l1") {
    return {
      value({ data: x }) {
        let sum = 0;
        for (let i = 0; i < x.length; i++) sum += Math.abs(x[i]!);
        return weight * sum;
      },
      prox(T, Z, eta) {
        const [t, z, threshold] = [T.data, Z.data, weight * eta];
        for (let i = 0; i < z.length; i++) {
          const v = z[i]!;
          t[i] = v > threshold ? v - threshold : v < -threshold ? v + threshold : 0;
        }
      },
    };
  }
  const rows = E.matrix(n, 1);
  return {
    value(X) {
      E.rowDots(rows, X, X);
      let sum = 0;
      for (const square of rows.data) sum += Math.sqrt(square);
      return weight * sum;
    },
    prox(T, Z, eta) {
      E.rowDots(rows, Z, Z);
      const r = rows.data;
      for (let i = 0; i < n; i++) r[i] = r[i]! > (weight * eta) ** 2 ? 1 - (weight * eta) / Math.sqrt(r[i]!) : 0;
      E.scaleRows(T, rows, Z);
    },
  };
}

/** Where X is zero: entries and rows at most `threshold` in size, and the pattern itself, 1 for an entry that is not zero. */
export function sparsityPattern(
  { rows: n, cols: p, data: x }: Matrix,
  threshold = 1e-8,
): { zeros: number; zeroRows: number; pattern: Uint8Array } {
  const pattern = Uint8Array.from(x, (v) => (Math.abs(v) > threshold ? 1 : 0));
  let [zeros, zeroRows] = [0, 0];
  for (let i = 0; i < n; i++) {
    let filled = 0;
    for (let j = 0; j < p; j++) filled += pattern[i * p + j]!;
    zeros += p - filled;
    if (filled === 0) zeroRows++;
  }
  return { zeros, zeroRows, pattern };
}
