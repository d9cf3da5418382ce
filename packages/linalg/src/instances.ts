/** Random instance data as plain matrices, drawn and computed in the same order on every engine and machine. */
import { transpose } from "./arrays/transpose.js";
import type { Matrix } from "./contracts/matrix.js";
import { spectralNorm } from "./dense/spectral-norm.js";
import { requireMemoryFor } from "./memory/require.js";
import { fillNormal, type Random } from "./random.js";

/** A zero matrix in host memory; a `MemoryError` if it does not fit */
export function plain(rows: number, cols: number): Matrix {
  requireMemoryFor(rows, cols);
  return { rows, cols, data: new Float64Array(rows * cols) };
}

/** A rows×cols matrix of independent standard normal numbers */
export function gaussian(rows: number, cols: number, r: Random): Matrix {
  const G = plain(rows, cols);
  fillNormal(G, r);
  return G;
}

/** S/‖S‖₂ with S = (G + Gᵀ)/√2, G Gaussian: N(0, 1) off the diagonal, N(0, 2) on it; drawn directly, row by row. */
export function unitSymmetric(n: number, r: Random): Matrix {
  const S = plain(n, n);
  for (let i = 0; i < n; i++) {
    S.data[i * n + i] = Math.SQRT2 * r.normal();
    for (let j = i + 1; j < n; j++) S.data[i * n + j] = S.data[j * n + i] = r.normal();
  }
  const norm = spectralNorm(S);
  for (let k = 0; k < S.data.length; k++) S.data[k]! /= norm;
  return S;
}

/** Orthonormal columns from Gaussian ones by Gram–Schmidt, twice: uniformly distributed, orthonormal to rounding. */
export function randomOrthonormal(n: number, p: number, r: Random): Matrix {
  const T = gaussian(p, n, r); // the columns as rows, one after the other in memory
  for (let j = 0; j < p; j++) {
    const q = T.data.subarray(j * n, (j + 1) * n);
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < j; k++) {
        const v = T.data.subarray(k * n, (k + 1) * n);
        let s = 0;
        for (let i = 0; i < n; i++) s += q[i]! * v[i]!;
        for (let i = 0; i < n; i++) q[i]! -= s * v[i]!;
      }
    }
    let square = 0;
    for (let i = 0; i < n; i++) square += q[i]! ** 2;
    const length = Math.sqrt(square);
    for (let i = 0; i < n; i++) q[i]! /= length;
  }
  return plainTranspose(T);
}

/** The sum of the p largest values */
export const sumOfLargest = (values: Float64Array, p: number): number =>
  values
    .toSorted()
    .subarray(values.length - p)
    .reduce((sum, v) => sum + v, 0);

/** A·B of plain matrices, for instance data that must have the same bits on every machine */
export function plainProduct(A: Matrix, B: Matrix): Matrix {
  const C = plain(A.rows, B.cols);
  const [a, b, c, m] = [A.data, B.data, C.data, B.cols];
  for (let i = 0; i < A.rows; i++) {
    for (let k = 0; k < A.cols; k++) {
      const t = a[i * A.cols + k]!;
      for (let j = 0; j < m; j++) c[i * m + j]! += t * b[k * m + j]!;
    }
  }
  return C;
}

export function plainTranspose(A: Matrix): Matrix {
  const T = plain(A.cols, A.rows);
  transpose(T.data, A.data, A.rows, A.cols);
  return T;
}
