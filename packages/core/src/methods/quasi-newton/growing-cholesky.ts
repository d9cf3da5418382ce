/** The factor L of a symmetric positive definite M = LLᵀ of a handful of rows, which grows by a row at a time. */
export interface GrowingCholesky {
  size(): number;
  clear(): void;
  /**
   * Takes the numbers of row k = size() of M up to its diagonal, if L_kk²/M_kk ≥ least: that is 1 for a row that is orthogonal to those
   * before it, and near 0 for one that they span. False where it is not taken.
   */
  grow(row: Float64Array, least: number): boolean;
  /** b ← M⁻¹b */
  solve(b: Float64Array): void;
  logDeterminant(): number;
}

export function growingCholesky(most: number): GrowingCholesky {
  const L = new Float64Array(most * most);
  let size = 0;
  return {
    size: () => size,
    clear() {
      size = 0;
    },
    grow(row, least) {
      const k = size * most;
      let pivot = row[size]!;
      for (let j = 0; j < size; j++) {
        const l = j * most;
        let v = row[j]!;
        for (let i = 0; i < j; i++) v -= L[k + i]! * L[l + i]!;
        v /= L[l + j]!;
        L[k + j] = v;
        pivot -= v * v;
      }
      if (!(pivot > 0 && pivot >= least * row[size]!)) return false;
      L[k + size] = Math.sqrt(pivot);
      size++;
      return true;
    },
    solve(b) {
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < i; j++) b[i]! -= L[i * most + j]! * b[j]!;
        b[i]! /= L[i * most + i]!;
      }
      for (let i = size - 1; i >= 0; i--) {
        for (let j = i + 1; j < size; j++) b[i]! -= L[j * most + i]! * b[j]!;
        b[i]! /= L[i * most + i]!;
      }
    },
    logDeterminant() {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += 2 * Math.log(L[i * most + i]!);
      return sum;
    },
  };
}
