/** A quadratic f on the doubly stochastic matrices, learned from values and gradients: then exchanges of rows cost no evaluation. */

import type { Assigned } from "./swaps.js";

/** f(W) and ∇f(W), row after row */
export type Evaluate = (W: Float64Array) => { f: number; G: Float64Array };

/** A permutation that changes in place */
export type Moving = { -readonly [name in keyof Assigned]: Assigned[name] };

export interface QuadraticModel {
  /** f and the gradient along the set at a permutation, for `change` and `exchange` */
  at(labels: Int32Array): Moving;
  /** f after rows i and k have exchanged their columns, minus f */
  change(at: Moving, i: number, k: number): number;
  /** The columns of rows i and k are exchanged, in place. */
  exchange(at: Moving, i: number, k: number): void;
}

/** Rows at most: the model has n⁴ numbers, 20 MB of them. */
const MOST_ROWS = 40;
/** Part of the size of f, or of ∇f, up to which two values of it are one: roundoff of differences leaves some n²·1e-16 */
const SAME = 1e-9;

/** Evaluations that the model takes: at the mean of all permutations, and one for each dimension of the set */
export const evaluationsOf = (n: number): number => (n - 1) ** 2 + 1;

/**
 * The model from f and ∇f at W₀ = 11ᵀ/n and W₀ + E_ij/n with E_ij = (e_i − e_n)(e_j − e_n)ᵀ, which span the doubly stochastic matrices and
 * have no negative entry. undefined where f is not quadratic: f(W) − f(W₀) is ½⟨∇f(W) + ∇f(W₀), W − W₀⟩ for quadratic f, and the model
 * must have f and ∇f at `known`, a permutation.
 */
export function learnQuadratic(n: number, evaluate: Evaluate, known: Assigned): QuadraticModel | undefined {
  if (n < 2 || n > MOST_ROWS) return undefined;
  const N = n * n;
  const W = new Float64Array(N).fill(1 / n);
  const middle = evaluate(W);
  /** ∇²f·E_ij, one after the other; 0 for i or j = n */
  const H = new Float64Array(N * N);
  for (let i = 0; i < n - 1; i++) {
    for (let j = 0; j < n - 1; j++) {
      W.fill(1 / n);
      W[i * n + j] = W[N - 1] = 2 / n;
      W[i * n + n - 1] = W[(n - 1) * n + j] = 0;
      const { f, G } = evaluate(W);
      let [slope, size] = [0, Math.abs(f) + Math.abs(middle.f)];
      for (let k = 0; k < N; k++) {
        const change = ((G[k]! + middle.G[k]!) / 2) * (W[k]! - 1 / n);
        slope += change;
        size += Math.abs(change);
        H[(i * n + j) * N + k] = n * (G[k]! - middle.G[k]!);
      }
      if (!(Math.abs(f - middle.f - slope) <= SAME * size)) return undefined;
    }
  }
  const model = modelOf(n, middle, H);
  return isAgreed(n, model.at(known.labels), known) ? model : undefined;
}

function modelOf(n: number, middle: { f: number; G: Float64Array }, H: Float64Array): QuadraticModel {
  const N = n * n;
  /** G ← G + t·∇²f·E_ij */
  function add(G: Float64Array, i: number, j: number, t: number): void {
    const from = (i * n + j) * N;
    for (let k = 0; k < N; k++) G[k]! += t * H[from + k]!;
  }
  /** ⟨A, D⟩ for the exchange D = (e_i − e_k)(e_b − e_a)ᵀ, where row i has column a and row k column b; A begins at `from`. */
  const along = (A: Float64Array, i: number, k: number, a: number, b: number, from = 0): number =>
    A[from + i * n + b]! - A[from + i * n + a]! + A[from + k * n + a]! - A[from + k * n + b]!;
  return {
    at(labels) {
      // P − W₀ is the sum of the E_ij of its ones, less 1/n of all E_ij
      const G = middle.G.slice();
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) add(G, i, j, (labels[i] === j ? 1 : 0) - 1 / n);
      let { f } = middle;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const k = i * n + j;
          f += (((labels[i] === j ? 1 : 0) - 1 / n) * (G[k]! + middle.G[k]!)) / 2;
        }
      return { labels: labels.slice(), f, G };
    },
    change({ labels, G }, i, k) {
      const [a, b] = [labels[i]!, labels[k]!];
      const [ib, ia, ka, kb] = [i * n + b, i * n + a, k * n + a, k * n + b];
      const curvature =
        along(H, i, k, a, b, ib * N) -
        along(H, i, k, a, b, ia * N) +
        along(H, i, k, a, b, ka * N) -
        along(H, i, k, a, b, kb * N);
      return along(G, i, k, a, b) + curvature / 2;
    },
    exchange(at, i, k) {
      const { labels, G } = at;
      const [a, b] = [labels[i]!, labels[k]!];
      const before = along(G, i, k, a, b);
      add(G, i, b, 1);
      add(G, i, a, -1);
      add(G, k, a, 1);
      add(G, k, b, -1);
      at.f += (before + along(G, i, k, a, b)) / 2;
      [labels[i], labels[k]] = [b, a];
    },
  };
}

/** Whether f is the same in both, and ∇f up to what is constant along rows or columns */
export function isAgreed(n: number, a: Assigned, b: Assigned): boolean {
  const size = b.G.reduce((most, g) => Math.max(most, Math.abs(g)), 0);
  if (!(Math.abs(a.f - b.f) <= SAME * (Math.abs(b.f) + n * size))) return false;
  const difference = a.G.map((g, k) => g - b.G[k]!);
  const at = (i: number, j: number): number => difference[i * n + j]!;
  for (let i = 1; i < n; i++)
    for (let j = 1; j < n; j++)
      if (!(Math.abs(at(i, j) - at(0, j) - at(i, 0) + at(0, 0)) <= SAME * n * size)) return false;
  return true;
}
