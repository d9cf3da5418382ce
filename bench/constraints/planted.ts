/** Matrices with known eigenvalues or singular values. */

import type { Engine, Matrix, Small } from "@expen/linalg";
import { random } from "@expen/linalg";

/** n×p with orthonormal columns */
export function orthonormal(E: Engine, n: number, p: number, seed: number, name: string): Small {
  const A = E.small(n, p);
  E.write(A, random(seed, name).normal);
  const [U, V] = [E.small(n, p), E.small(p, p)];
  E.factor.svd(U, new Float64Array(p), V, A);
  return U;
}

/** P·Diag(values)·Qᵀ */
export function planted(E: Engine, P: Small, values: ArrayLike<number>, Q: Small): Matrix {
  const [A, scaled] = [E.small(P.rows, Q.rows), E.small(P.rows, P.cols)];
  E.mul(scaled, P, diagonal(E, values));
  E.mulT(A, scaled, Q);
  return plain(E, A);
}

export function diagonal(E: Engine, values: ArrayLike<number>): Small {
  const k = values.length;
  const D = new Float64Array(k * k);
  for (let i = 0; i < k; i++) D[i * (k + 1)] = values[i]!;
  return E.small(k, k, D);
}

export const plain = (E: Engine, A: Small): Matrix => ({
  rows: A.rows,
  cols: A.cols,
  data: Float64Array.from(E.read(A)),
});

/** (A + Aᵀ)/2 to the last bit */
export function symmetric(E: Engine, A: Matrix): Matrix {
  const S = E.small(A.rows, A.cols, A.data);
  E.symmetrize(S);
  return plain(E, S);
}

/** `count` numbers from a to b, evenly */
export const evenly = (count: number, a: number, b: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => a + ((b - a) * i) / Math.max(1, count - 1));

export const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((s, v) => s + v, 0);
