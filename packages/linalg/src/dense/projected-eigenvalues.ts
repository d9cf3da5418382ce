import { complementOf } from "../arrays/complement.js";
import { tridiagonalEigenvalue, tridiagonalEigenvector } from "../arrays/tridiagonal-eigenpairs.js";
import { fromTridiagonal, tridiagonalizer } from "../arrays/tridiagonal-form.js";
import type { Engine } from "../contracts/engine.js";
import type { Tall } from "../contracts/matrix.js";
import type { Lowest } from "./lanczos.js";

/**
 * K = QᵀAQ in host memory, Q an orthonormal basis of the N-dimensional range of the orthogonal projection `project` on n×p matrices, by one
 * product with A for each of its columns: for small n·p.
 */
export function projectedEnds(
  E: Engine,
  n: number,
  p: number,
  apply: (Y: Tall, X: Tall) => void,
  project: (Z: Tall) => void,
  N: number,
): { lowest: Lowest; vector(V: Tall): void } {
  const [D, AD] = [E.tall(n, p), E.tall(n, p)];
  const column = E.read(D);
  const m = column.length;
  const q = m - N;
  const unit = (k: number): Float64Array => Float64Array.from({ length: m }, (_, i) => (i === k ? 1 : 0));
  /** I − P, row-major */
  const rest = new Float64Array(m * m);
  for (let k = 0; k < m; k++) {
    E.write(D, unit(k));
    project(D);
    E.read(D, column);
    for (let i = 0; i < m; i++) rest[k * m + i] = (i === k ? 1 : 0) - column[i]!;
  }
  const basis = complementOf(rest, m, q);
  const K = new Float64Array(N * N);
  let raw = 0;
  for (let j = 0; j < N; j++) {
    const direction = unit(q + j);
    basis.embed(direction);
    E.write(D, direction);
    apply(AD, D);
    raw = Math.max(raw, Math.sqrt(E.dot(AD, AD)));
    E.read(AD, column);
    basis.coordinates(column);
    K.set(column.subarray(q), j * N);
  }
  let skew = 0;
  for (let i = 0; i < N; i++) for (let j = 0; j < i; j++) skew += 2 * (K[i * N + j]! - K[j * N + i]!) ** 2;
  const { d, e, reflectors } = tridiagonalizer(N)(K);
  const [value, highest] = [tridiagonalEigenvalue(d, e, N, 0), tridiagonalEigenvalue(d, e, N, N - 1)];
  const scale = Math.max(Math.abs(value), Math.abs(highest));
  const known = { residual: 0, raw, steps: N, alpha: d, beta: e, asymmetry: Math.sqrt(skew), end: "whole" } as const;
  return {
    lowest: { value, highest, scale, ...known },
    vector(V) {
      const z = tridiagonalEigenvector(d, e, N, value);
      fromTridiagonal(z, reflectors);
      const x = new Float64Array(m);
      x.set(z, q);
      basis.embed(x);
      E.write(V, x);
      project(V);
      E.combine(V, 1 / Math.sqrt(E.dot(V, V)), V, 0, V);
    },
  };
}
