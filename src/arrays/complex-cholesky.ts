/**
 * S = RᴴR for a Hermitian S = re + i·im, p×p, from its upper triangle; R, upper triangular with a positive diagonal, is written over it.
 * False, with no R, where S is not positive definite in floating point or holds NaN. As arrays/cholesky.ts, row by row.
 */
export function complexCholesky(re: Float64Array, im: Float64Array, p: number): boolean {
  for (let k = 0; k < p; k++) {
    const pivot = re[k * p + k]!;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return false;
    const root = Math.sqrt(pivot);
    re[k * p + k] = root;
    im[k * p + k] = 0;
    for (let j = k + 1; j < p; j++) {
      re[k * p + j]! /= root;
      im[k * p + j]! /= root;
    }
    for (let i = k + 1; i < p; i++) {
      // conj(R_ki)·R_kj
      const [a, b] = [re[k * p + i]!, -im[k * p + i]!];
      re[i * p + k] = 0;
      im[i * p + k] = 0;
      for (let j = i; j < p; j++) {
        const [c, d] = [re[k * p + j]!, im[k * p + j]!];
        re[i * p + j]! -= a * c - b * d;
        im[i * p + j]! -= a * d + b * c;
      }
    }
  }
  return true;
}

/** R ← R⁻¹ in place for an upper triangular R with a real diagonal without zeros, column by column */
export function complexInverseTriangular(re: Float64Array, im: Float64Array, p: number): void {
  for (let j = 0; j < p; j++) {
    const d = 1 / re[j * p + j]!;
    // P_ij = −d·Σ_{i ≤ k < j} P_ik·R_kj, ascending i reads R_kj for k ≥ i, which is still there
    for (let i = 0; i < j; i++) {
      let [x, y] = [0, 0];
      for (let k = i; k < j; k++) {
        const [a, b, c, e] = [re[i * p + k]!, im[i * p + k]!, re[k * p + j]!, im[k * p + j]!];
        x += a * c - b * e;
        y += a * e + b * c;
      }
      re[i * p + j] = -d * x;
      im[i * p + j] = -d * y;
    }
    re[j * p + j] = d;
    im[j * p + j] = 0;
  }
}
