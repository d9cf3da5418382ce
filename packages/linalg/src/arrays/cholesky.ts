/**
 * S = RᵀR with R upper triangular and a positive diagonal, R written over S (p×p), of which the upper triangle is read.
 * False, with r undefined, if S is not positive definite in floating point or contains NaN. `rows`: only that many leading rows of S, p
 * numbers each, become those of R.
 *
 * Right-looking: row k of R, then S ← S − (row k)ᵀ(row k) on the trailing block, so that all accesses run along rows.
 */
export function choleskyInPlace(r: Float64Array, p: number, rows: number = p): boolean {
  for (let k = 0; k < rows; k++) {
    const pivot = r[k * p + k]!;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return false;
    const root = Math.sqrt(pivot);
    r[k * p + k] = root;
    for (let j = k + 1; j < p; j++) r[k * p + j]! /= root;
    for (let i = k + 1; i < rows; i++) {
      const t = r[k * p + i]!;
      r[i * p + k] = 0;
      for (let j = i; j < p; j++) r[i * p + j]! -= t * r[k * p + j]!;
    }
  }
  return true;
}
