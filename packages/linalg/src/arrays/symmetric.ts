/** Comparison of square matrices with their transposes, tile by tile, so that a_ij and a_ji are both in the cache */
import type { Matrix } from "../contracts/matrix.js";

/** Side of a tile: two of them take 16 KiB. */
const TILE = 32;

/** |a_ij − a_ji| ≤ allowed for all i, j; NaN is not symmetric. */
export function isSymmetric(a: Float64Array, n: number, allowed = 0): boolean {
  for (let top = 0; top < n; top += TILE) {
    for (let left = 0; left <= top; left += TILE) {
      for (let i = top; i < Math.min(n, top + TILE); i++) {
        const end = Math.min(i, left + TILE);
        for (let j = left; j < end; j++) if (!(Math.abs(a[i * n + j]! - a[j * n + i]!) <= allowed)) return false;
      }
    }
  }
  return true;
}

/** max |a_ij|, max |a_ij − a_ji| and max_i Σ_j |a_ij|, in one pass; NaN if an entry is NaN */
export function sizesOf(a: Float64Array, n: number): { largest: number; difference: number; rowSum: number } {
  let [largest, difference, rowSum] = [0, 0, 0];
  const sums = new Float64Array(n);
  for (let top = 0; top < n; top += TILE) {
    for (let left = 0; left <= top; left += TILE) {
      for (let i = top; i < Math.min(n, top + TILE); i++) {
        const end = Math.min(i, left + TILE);
        let sum = 0;
        for (let j = left; j < end; j++) {
          const [below, above] = [a[i * n + j]!, a[j * n + i]!];
          largest = Math.max(largest, Math.abs(below), Math.abs(above));
          difference = Math.max(difference, Math.abs(below - above));
          sum += Math.abs(below);
          sums[j]! += Math.abs(above);
        }
        sums[i]! += sum;
      }
    }
  }
  for (let i = 0; i < n; i++) {
    const diagonal = Math.abs(a[i * (n + 1)]!);
    largest = Math.max(largest, diagonal);
    rowSum = Math.max(rowSum, sums[i]! + diagonal);
  }
  return { largest, difference, rowSum };
}

/** |a_ij − a_ji| ≤ relative·max |a_ij|; false for a matrix that is not square or not finite */
export function isNearlySymmetric({ rows, cols, data }: Matrix, relative: number): boolean {
  if (rows !== cols) return false;
  const { largest, difference } = sizesOf(data, rows);
  return Number.isFinite(largest) && difference <= relative * largest;
}

/** a ← c·(s + sᵀ)/2; a may be s */
export function symmetricPart(a: Float64Array, s: Float64Array, n: number, c = 1): void {
  const half = 0.5 * c;
  for (let top = 0; top < n; top += TILE) {
    for (let left = 0; left <= top; left += TILE) {
      for (let i = top; i < Math.min(n, top + TILE); i++) {
        const end = Math.min(i + 1, left + TILE);
        for (let j = left; j < end; j++) a[i * n + j] = a[j * n + i] = half * s[i * n + j]! + half * s[j * n + i]!;
      }
    }
  }
}
