/** The two components of the orthogonal group, det = 1 and det = −1: no descent leads from one to the other. */
import { randomStart } from "../run/start.js";
import type { Engine, Matrix } from "../types.js";
import { plainOf, scaleColumns } from "./application.js";

/** det of a square matrix, by elimination with pivots */
export function determinant({ rows: n, data }: Matrix): number {
  const a = Float64Array.from(data);
  let det = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]!) > Math.abs(a[pivot * n + k]!)) pivot = i;
    if (a[pivot * n + k] === 0) return 0;
    if (pivot !== k) {
      det = -det;
      for (let j = 0; j < n; j++) [a[k * n + j], a[pivot * n + j]] = [a[pivot * n + j]!, a[k * n + j]!];
    }
    det *= a[k * n + k]!;
    for (let i = k + 1; i < n; i++) {
      const c = a[i * n + k]! / a[k * n + k]!;
      for (let j = k; j < n; j++) a[i * n + j]! -= c * a[k * n + j]!;
    }
  }
  return det;
}

/** A random orthogonal matrix with the wanted sign of its determinant */
export function orthogonalStart(E: Engine, n: number, seed: number, sign: 1 | -1): Matrix {
  const Q = plainOf(E, randomStart(E, n, n, seed));
  if (Math.sign(determinant(Q)) === sign) return Q;
  return scaleColumns(
    Q,
    Array.from({ length: n }, (_, j) => (j === 0 ? -1 : 1)),
  );
}

export const bothComponents = (E: Engine, n: number, seed: number): Matrix[] => [
  orthogonalStart(E, n, seed, 1),
  orthogonalStart(E, n, seed, -1),
];
