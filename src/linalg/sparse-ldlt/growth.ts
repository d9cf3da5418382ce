import type { Factors } from "./factor.js";

/** ‖|L||D||Lᵀ|‖_∞, which rounding is relative to, and how many columns of L the longest row has */
export function growthOf({ d, blocks, symbolic }: Factors): { size: number; terms: number } {
  const { size: n } = symbolic;
  const [y, u] = [new Float64Array(n), new Float64Array(n)];
  const length = new Int32Array(n);
  let [size, terms] = [0, 0];
  each((i, j, l) => {
    y[j]! += l;
    length[i]!++;
  });
  for (let j = 0; j < n; j++) {
    y[j] = Math.abs(d[j]!) * (y[j]! + 1);
    u[j] = y[j]!;
  }
  each((i, j, l) => {
    u[i]! += l * y[j]!;
  });
  for (let i = 0; i < n; i++) {
    // NaN is not small
    if (!(u[i]! <= size)) size = u[i]!;
    terms = Math.max(terms, length[i]!);
  }
  return { size, terms };

  /** |L_ij| below the diagonal */
  function each(use: (i: number, j: number, l: number) => void): void {
    for (const { at, k, rows, panel } of blocks) {
      for (let i = 1; i < k + rows.length; i++) {
        const row = i < k ? at + i : rows[i - k]!;
        for (let j = 0; j < Math.min(i, k); j++) use(row, at + j, Math.abs(panel[i * k + j]!));
      }
    }
  }
}
