import type { Factors } from "./factor.js";

/** ‖|L||D||Lᵀ|‖_∞, the scale of rounding errors, and the number of entries in the longest row of L */
export function growthOf({ d, blocks, symbolic }: Factors): { size: number; terms: number } {
  const n = symbolic.size;
  /** |D||Lᵀ|e, and |L| times that */
  const y = new Float64Array(n).fill(1);
  const u = new Float64Array(n);
  const length = new Int32Array(n);
  for (const { at, k, rows, panel } of blocks) {
    const m = k + rows.length;
    for (let i = 1; i < m; i++) {
      const last = Math.min(i, k);
      for (let j = 0; j < last; j++) y[at + j]! += Math.abs(panel[i * k + j]!);
      length[i < k ? at + i : rows[i - k]!]! += last;
    }
  }
  for (let j = 0; j < n; j++) y[j]! *= Math.abs(d[j]!);
  for (const { at, k, rows, panel } of blocks) {
    const m = k + rows.length;
    for (let i = 1; i < m; i++) {
      const last = Math.min(i, k);
      let sum = 0;
      for (let j = 0; j < last; j++) sum += Math.abs(panel[i * k + j]!) * y[at + j]!;
      u[i < k ? at + i : rows[i - k]!]! += sum;
    }
  }
  let [size, terms] = [0, 0];
  for (let i = 0; i < n; i++) {
    const row = u[i]! + y[i]!;
    // NaN is not small
    if (!(row <= size)) size = row;
    terms = Math.max(terms, length[i]!);
  }
  return { size, terms };
}
