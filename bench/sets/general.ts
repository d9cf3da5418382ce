/** Problems with bounds, inequalities and equations: f as loops over numbers, the same as data for other programs */

import type { Manifold, Subject, UserObjective, VectorFunction } from "@expen/core";
import type { Matrix, Random, Tall } from "@expen/linalg";
import { atMost, bounds, equal, oblique, random, sphere, stiefel } from "expen";

/** f and its constraints in numbers: what a program in another language needs of them */
export interface Posed {
  readonly manifold: "sphere" | "stiefel" | "oblique";
  readonly n: number;
  readonly p: number;
  /** ½⟨X, AXD⟩ with D = Diag(weights), ½⟨X, XA⟩, or the function of Rosenbrock */
  readonly f: "left" | "right" | "rosenbrock";
  readonly A: readonly number[];
  readonly weights: readonly number[];
  readonly lower: number | null;
  readonly upper: number | null;
  /** largest square of the length of a row */
  readonly rows: number | null;
  /** the sums of the rows are 0 */
  readonly sums: boolean;
  readonly start: readonly number[];
}

export interface General {
  readonly posed: Posed;
  readonly on: Manifold;
  readonly f: UserObjective;
  readonly subjectTo: readonly Subject[];
  readonly start: Matrix;
}

type Made = Omit<Posed, "n" | "p" | "start" | "lower" | "upper" | "rows" | "sums" | "weights"> &
  Partial<Pick<Posed, "lower" | "upper" | "rows" | "sums" | "weights">>;

/** A problem from its numbers, with a random start on the manifold */
function general(n: number, p: number, seed: number, made: Made): General {
  const { manifold, f, lower = null, upper = null, rows = null, sums = false, weights = [], A } = made;
  const on = manifold === "sphere" ? sphere(n) : manifold === "oblique" ? oblique(n, p) : stiefel(n, p);
  const start = startOn(n, p, manifold, random(seed, "start"));
  const posed = { manifold, n, p, f, A, weights, lower, upper, rows, sums, start: [...start.data] };
  const subjectTo = [
    ...(lower !== null || upper !== null ? [bounds(lower ?? -Infinity, upper ?? Infinity)] : []),
    ...(rows !== null ? [atMost(rowSquares(n, p), rows)] : []),
    ...(sums ? [equal(rowSums(n, p))] : []),
  ];
  return {
    posed,
    on,
    subjectTo,
    start,
    f: f === "rosenbrock" ? rosenbrock(n) : f === "left" ? left(posed) : right(posed),
  };
}

/** Orthonormal or unit columns from normal numbers, by Gram–Schmidt */
function startOn(n: number, p: number, manifold: Posed["manifold"], r: Random): Matrix {
  const data = Float64Array.from({ length: n * p }, r.normal);
  for (let j = 0; j < p; j++) {
    for (let k = 0; manifold === "stiefel" && k < 2 * j; k++) {
      let s = 0;
      for (let i = 0; i < n; i++) s += data[i * p + (k % j)]! * data[i * p + j]!;
      for (let i = 0; i < n; i++) data[i * p + j]! -= s * data[i * p + (k % j)]!;
    }
    let s = 0;
    for (let i = 0; i < n; i++) s += data[i * p + j]! ** 2;
    for (let i = 0; i < n; i++) data[i * p + j]! /= Math.sqrt(s);
  }
  return { rows: n, cols: p, data };
}

function left({ n, p, A, weights }: Posed): UserObjective {
  return {
    fg(G: Tall, X: Tall) {
      let value = 0;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < p; j++) {
          let s = 0;
          for (let k = 0; k < n; k++) s += A[i * n + k]! * X.data[k * p + j]!;
          G.data[i * p + j] = s * weights[j]!;
          value += 0.5 * X.data[i * p + j]! * s * weights[j]!;
        }
      }
      return value;
    },
  };
}

function right({ n, p, A }: Posed): UserObjective {
  return {
    fg(G: Tall, X: Tall) {
      let value = 0;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < p; j++) {
          let s = 0;
          for (let k = 0; k < p; k++) s += X.data[i * p + k]! * A[k * p + j]!;
          G.data[i * p + j] = s;
          value += 0.5 * X.data[i * p + j]! * s;
        }
      }
      return value;
    },
  };
}

function rosenbrock(n: number): UserObjective {
  return {
    fg(G: Tall, X: Tall) {
      const [x, g] = [X.data, G.data];
      let value = 0;
      g.fill(0);
      for (let i = 0; i + 1 < n; i++) {
        const [a, b] = [x[i + 1]! - x[i]! ** 2, 1 - x[i]!];
        value += 100 * a * a + b * b;
        g[i]! += -400 * x[i]! * a - 2 * b;
        g[i + 1]! += 200 * a;
      }
      return value;
    },
  };
}

const rowSquares = (n: number, p: number): VectorFunction => ({
  size: n,
  value(out, X) {
    out.fill(0);
    for (let k = 0; k < n * p; k++) out[Math.floor(k / p)]! += X.data[k]! ** 2;
  },
  adjoint(G, X, w) {
    for (let k = 0; k < n * p; k++) G.data[k]! += 2 * w[Math.floor(k / p)]! * X.data[k]!;
  },
});
const rowSums = (n: number, p: number): VectorFunction => ({
  size: n,
  value(out, X) {
    out.fill(0);
    for (let k = 0; k < n * p; k++) out[Math.floor(k / p)]! += X.data[k]!;
  },
  adjoint(G, _X, w) {
    for (let k = 0; k < n * p; k++) G.data[k]! += w[Math.floor(k / p)]!;
  },
});

/** −BBᵀ/n of normal numbers */
function covariance(n: number, r: Random): number[] {
  const B = Float64Array.from({ length: n * n }, r.normal);
  return Array.from({ length: n * n }, (_, at) => {
    const [i, k] = [Math.floor(at / n), at % n];
    let s = 0;
    for (let j = 0; j < n; j++) s += B[i * n + j]! * B[k * n + j]!;
    return -s / n;
  });
}

/** A random graph's Laplacian, of mean degree 1 */
function laplacian(n: number, r: Random): number[] {
  const L = new Array<number>(n * n).fill(0);
  let edges = 0;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) {
      if (r.uniform() >= 0.2) continue;
      edges++;
      L[i * n + k] = L[k * n + i] = -1;
      L[i * n + i]!++;
      L[k * n + k]!++;
    }
  }
  return L.map((x) => (x * n) / (2 * edges));
}

/** −(√snr·vvᵀ + noise) with a sparse nonnegative v [Montanari and Richard, Non-negative principal component analysis, 2016] */
function spiked(n: number, r: Random): number[] {
  const support = Math.round(0.3 * n);
  const v = Array.from({ length: n }, (_, i) => (i < support ? 1 / Math.sqrt(support) : 0));
  const W = Float64Array.from({ length: n * n }, () => r.normal() / Math.sqrt(n));
  return Array.from({ length: n * n }, (_, at) => {
    const [i, k] = [Math.floor(at / n), at % n];
    return -(v[i]! * v[k]! + (W[i * n + k]! + W[k * n + i]!) / Math.SQRT2);
  });
}

/** Names as in tables; `isInfeasible`: no point satisfies the constraints */
export const generals: readonly { name: string; isInfeasible?: true; make(seed: number): General }[] = [
  {
    name: "Rosenbrock, sphere 10, −0.2 ≤ x ≤ 0.5",
    make: (seed) => general(10, 1, seed, { manifold: "sphere", f: "rosenbrock", A: [], lower: -0.2, upper: 0.5 }),
  },
  {
    name: "weighted PCA 30×3, |X_ij| ≤ 0.35",
    make: (seed) =>
      general(30, 3, seed, {
        ...{ manifold: "stiefel", f: "left", A: covariance(30, random(seed, "A")), weights: [3, 2, 1] },
        ...{ lower: -0.35, upper: 0.35 },
      }),
  },
  {
    name: "weighted PCA 20×3, ‖row‖² ≤ 0.25",
    make: (seed) =>
      general(20, 3, seed, {
        ...{ manifold: "stiefel", f: "left", A: covariance(20, random(seed, "A")), weights: [3, 2, 1] },
        rows: 0.25,
      }),
  },
  {
    name: "balanced cut, oblique 4×30, X·1 = 0",
    make: (seed) =>
      general(4, 30, seed, { manifold: "oblique", f: "right", A: laplacian(30, random(seed, "graph")), sums: true }),
  },
  {
    name: "nonnegative PCA, sphere 60, x ≥ 0",
    make: (seed) =>
      general(60, 1, seed, { manifold: "sphere", f: "left", A: spiked(60, random(seed, "A")), weights: [1], lower: 0 }),
  },
  {
    name: "infeasible: sphere 10, x ≥ 0.5",
    isInfeasible: true,
    make: (seed) =>
      general(10, 1, seed, {
        manifold: "sphere",
        f: "left",
        A: covariance(10, random(seed, "A")),
        weights: [1],
        lower: 0.5,
      }),
  },
];
