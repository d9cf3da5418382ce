/** Problems on X ≥ 0, XᵀX = I with planted labels, and with bounds, inequalities and equations; seeded. */

import type { Matrix, Random, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";

/** f with the labels that were planted */
export interface Planted {
  readonly n: number;
  readonly p: number;
  readonly labels: Int32Array;
  readonly f: { fg(G: Tall, X: Tall): number; convex?: boolean };
  /** f of the planted X, where that is a minimum */
  readonly optimum?: number;
}

/** Random labels, each column with a row */
function drawLabels(n: number, p: number, r: Random): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => (i < p ? i : r.integer(p)));
}

const dense = (rows: number, cols: number, at: (i: number, j: number) => number): Matrix => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, (_, k) => at(Math.floor(k / cols), k % cols)),
});

function product(A: Matrix, X: Matrix): Float64Array {
  const [n, m, p] = [A.rows, A.cols, X.cols];
  const Y = new Float64Array(n * p);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < m; k++) {
      const a = A.data[i * m + k]!;
      if (a !== 0) for (let j = 0; j < p; j++) Y[i * p + j]! += a * X.data[k * p + j]!;
    }
  return Y;
}
const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

/** −½⟨X, KX⟩ */
const concave = (K: Matrix): Planted["f"] => ({
  fg(G, X) {
    const Y = product(K, X);
    for (const [i, y] of Y.entries()) G.data[i] = -y;
    return -0.5 * dot(X.data as Float64Array, Y);
  },
});

/** The projection of C = X·L onto {X ≥ 0, XᵀX = I}, where |L_kj| ≤ ξ·√(d_k·d_j) beside its diagonal d makes X the answer */
export function projection(n: number, p: number, seed: number, xi: number): Planted {
  const r = random(seed, "projection");
  const labels = drawLabels(n, p, r);
  const X = dense(n, p, () => 0);
  for (const [i, j] of labels.entries()) X.data[i * p + j] = 1 + r.uniform();
  for (let j = 0; j < p; j++) {
    let s = 0;
    for (let i = 0; i < n; i++) s += X.data[i * p + j]! ** 2;
    for (let i = 0; i < n; i++) X.data[i * p + j]! /= Math.sqrt(s);
  }
  const d = Float64Array.from({ length: p }, () => 0.5 + 3 * r.uniform());
  const L = dense(p, p, (k, j) => (k === j ? d[k]! : xi * r.uniform() * Math.sqrt(d[k]! * d[j]!)));
  const C = product(X, L);
  return {
    n,
    p,
    labels,
    optimum: -dot(C, X.data as Float64Array),
    f: {
      convex: true,
      fg(G, Z) {
        for (const [i, c] of C.entries()) G.data[i] = -c;
        return -dot(C, Z.data as Float64Array);
      },
    },
  };
}

/** Orthogonal nonnegative matrix factorization: rows of A are multiples of p random rows, with noise; f = −½⟨X, AAᵀX⟩ */
export function factorization(n: number, p: number, m: number, seed: number, noise = 0.05): Planted {
  const r = random(seed, "factorization");
  const labels = drawLabels(n, p, r);
  const C = dense(p, m, () => r.uniform());
  const s = Float64Array.from({ length: n }, () => 0.5 + r.uniform());
  const A = dense(n, m, (i, j) => s[i]! * C.data[labels[i]! * m + j]! + noise * Math.abs(r.normal()));
  const K = gram(A);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += K.data[i * n + i]!;
  return { n, p, labels, f: concave({ ...K, data: K.data.map((x) => (x * p) / trace) }) };
}

/** K-indicators clustering: U spans noisy indicators; f = −½‖UᵀX‖² */
export function indicators(n: number, p: number, seed: number, noise = 0.3): Planted {
  const r = random(seed, "indicators");
  const labels = drawLabels(n, p, r);
  const Y = dense(n, p, (i, j) => (labels[i] === j ? 3 : 0) + noise * 3 * r.normal());
  return { n, p, labels, f: concave(gram(orthonormal(Y))) };
}

/** AAᵀ */
export function gram(A: Matrix): Matrix {
  const { rows: n, cols: m, data } = A;
  return dense(n, n, (i, j) => {
    let s = 0;
    for (let k = 0; k < m; k++) s += data[i * m + k]! * data[j * m + k]!;
    return s;
  });
}

/** Gram–Schmidt, twice */
function orthonormal(A: Matrix): Matrix {
  const { rows: n, cols: p } = A;
  const Q = { ...A, data: Float64Array.from(A.data) };
  for (let j = 0; j < p; j++) {
    for (let pass = 0; pass < 2; pass++)
      for (let k = 0; k < j; k++) {
        let s = 0;
        for (let i = 0; i < n; i++) s += Q.data[i * p + k]! * Q.data[i * p + j]!;
        for (let i = 0; i < n; i++) Q.data[i * p + j]! -= s * Q.data[i * p + k]!;
      }
    let s = 0;
    for (let i = 0; i < n; i++) s += Q.data[i * p + j]! ** 2;
    for (let i = 0; i < n; i++) Q.data[i * p + j]! /= Math.sqrt(s);
  }
  return Q;
}

/** Whether two lists of labels are equal up to the names of the labels */
export function isSamePartition(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const names = new Map<number, number>();
  for (let i = 0; i < a.length; i++) {
    const known = names.get(a[i]!);
    if (known === undefined) names.set(a[i]!, b[i]!);
    else if (known !== b[i]) return false;
  }
  return new Set(names.values()).size === names.size;
}
