/** Symmetric matrices of a handful of rows, as lists of numbers. */

/** The factor L of M = LLᵀ; NaN on its diagonal where M is not positive definite. */
function factor(M: readonly (readonly number[])[]): number[][] {
  const L: number[][] = [];
  for (let i = 0; i < M.length; i++) {
    L.push([]);
    for (let j = 0; j <= i; j++) {
      let v = M[i]![j]!;
      for (let k = 0; k < j; k++) v -= L[i]![k]! * L[j]![k]!;
      L[i]!.push(i === j ? Math.sqrt(v) : v / L[j]![j]!);
    }
  }
  return L;
}

/** b ← M⁻¹b */
export function solveDefinite(b: Float64Array, M: readonly (readonly number[])[]): void {
  const L = factor(M);
  for (let i = 0; i < b.length; i++) {
    for (let k = 0; k < i; k++) b[i]! -= L[i]![k]! * b[k]!;
    b[i]! /= L[i]![i]!;
  }
  for (let i = b.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < b.length; k++) b[i]! -= L[k]![i]! * b[k]!;
    b[i]! /= L[i]![i]!;
  }
}

/** The smallest L_ii²/M_ii, between 0 and 1: how far each row is from what the rows before it span; NaN where M is not definite. */
export function leastPivot(M: readonly (readonly number[])[]): number {
  const L = factor(M);
  return Math.min(...M.map((row, i) => L[i]![i]! ** 2 / row[i]!));
}
