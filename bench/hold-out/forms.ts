/** Quadratic forms, and functions of the numbers x_jᵀAx_j. */
import type { Engine, Matrix, Random } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, randomOrthonormal } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { diagonal, entries, geometric, noisy, scaledBy, stacked, withEigenvalues } from "../any-f/draw.js";
import type { Data, ValueAndGradient } from "../any-f/family.js";
import { parts } from "../any-f/quadratics.js";
import { between, type HoldOutFamily, SQUARE, TALL, WIDE } from "./family.js";

/** φ over the numbers q_j = x_jᵀA_kx_j of a stack of A_k; `phi` returns its value and makes q the derivatives */
function ofDiagonals(phi: (q: Float64Array) => number) {
  return (E: Engine, n: number, p: number, { A }: Data): ValueAndGradient => {
    const As = parts(A!).map(E.operator);
    const AXs = As.map(() => E.tall(n, p));
    const q = new Float64Array(As.length * p);
    return (G, X) => {
      q.fill(0);
      for (const [k, B] of As.entries()) {
        B.apply(AXs[k]!, X);
        const [x, y] = [X.data, AXs[k]!.data];
        for (let i = 0; i < x.length; i++) q[k * p + (i % p)]! += x[i]! * y[i]!;
      }
      const f = phi(q);
      const g = G.data.fill(0);
      for (const [k, { data }] of AXs.entries()) {
        for (let i = 0; i < g.length; i++) g[i]! += 2 * q[k * p + (i % p)]! * data[i]!;
      }
      return f;
    };
  };
}

/** ½⟨X, BXC⟩ + ⟨L, X⟩ */
function quadratic(E: Engine, n: number, p: number, { B, C, L }: Data): ValueAndGradient {
  const [left, right, linear, BX] = [E.operator(B!), E.operator(C!), L && tallOf(E, L), E.tall(n, p)];
  const [T, S] = [E.tall(p, n), E.tall(p, n)];
  return (G, X) => {
    left.apply(BX, X);
    transpose(T.data, BX.data, n, p);
    right.applyT(S, T);
    transpose(G.data, S.data, p, n);
    const f = 0.5 * E.dot(X, G) + (linear ? E.dot(linear, X) : 0);
    if (linear) E.combine(G, 1, G, 1, linear);
    return f;
  };
}

function transpose(to: Float64Array, from: Float64Array, rows: number, cols: number): void {
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) to[j * rows + i] = from[i * cols + j]!;
}

/** Eigenvalues of which a cluster of p/2 or more is cut by p */
function cutCluster(n: number, p: number, r: Random): Matrix {
  const width = between([1e-3, 1e-1], r);
  const [from, to] = [Math.floor(p / 2), p + Math.ceil(p / 2)];
  return withEigenvalues(n, r, (i) => (i < from ? i : i < to ? from + width * r.normal() : i + from - to + 2) / p);
}

const gaussianParts = (n: number, count: number, r: Random): Matrix =>
  stacked(Array.from({ length: count }, () => withEigenvalues(n, r, () => r.normal())));

export const forms: HoldOutFamily[] = [
  {
    name: "linear-term-ill",
    formula: "½⟨X, BX⟩ + ⟨L, X⟩, condition of B 10² … 10⁵, L as large",
    ranges: [TALL, WIDE],
    draw(n, p, r) {
      const B = withEigenvalues(n, r, geometric(1, between([1e2, 1e5], r), n));
      return { B, C: diagonal(p, () => 1), L: scaledBy(between([1, 100], r), gaussian(n, p, r)) };
    },
    on: quadratic,
  },
  {
    name: "linear-term-both",
    formula: "½⟨X, BXC⟩ + ⟨L, X⟩, B and C of condition 3 … 100",
    ranges: [TALL, SQUARE],
    draw: (n, p, r) => ({
      B: withEigenvalues(n, r, geometric(1, between([3, 100], r), n)),
      C: withEigenvalues(p, r, geometric(1, between([3, 100], r), p)),
      L: gaussian(n, p, r),
    }),
    on: quadratic,
  },
  {
    name: "weighted-cut-cluster",
    formula: "½⟨X, BXC⟩, p cuts a cluster of B's eigenvalues, C = Diag(1 … 2) or nearly I",
    ranges: [TALL, WIDE],
    draw(n, p, r) {
      const most = between([1.01, 2], r);
      return { B: cutCluster(n, p, r), C: diagonal(p, geometric(1, most, p)) };
    },
    on: quadratic,
  },
  {
    name: "logarithm-cut-cluster",
    formula: "Σ_j log(1 + x_jᵀAx_j), p cuts a cluster of A's eigenvalues",
    ranges: [TALL, WIDE],
    draw: (n, p, r) => ({ A: cutCluster(n, p, r) }),
    on: ofDiagonals((q) => {
      let f = 0;
      for (let j = 0; j < q.length; j++) {
        f += Math.log1p(Math.max(q[j]!, -0.5));
        q[j] = 1 / (1 + Math.max(q[j]!, -0.5));
      }
      return f;
    }),
  },
  {
    name: "most-diagonal",
    formula: "−Σ_kj √(1 + (x_jᵀA_kx_j)²), two to six Gaussian matrices",
    ranges: [TALL, { n: [20, 60], p: [4, 12] }, SQUARE],
    draw: (n, _p, r) => ({ A: gaussianParts(n, 2 + r.integer(5), r) }),
    on: ofDiagonals((q) => {
      let f = 0;
      for (let j = 0; j < q.length; j++) {
        const root = Math.hypot(1, q[j]!);
        f -= root;
        q[j] = -q[j]! / root;
      }
      return f;
    }),
  },
  {
    name: "localized-functions",
    formula: "−Σ_kj (x_jᵀM_kx_j)², M_k multiplication by a coordinate among smooth functions (Foster and Boys)",
    ranges: [
      { n: [20, 60], p: [4, 10] },
      { n: [8, 30], p: "square" },
    ],
    draw(n, _p, r) {
      const m = 4 * n;
      const Q = randomOrthonormal(m, n, r);
      const coordinate = (): Matrix => {
        const at = Array.from({ length: m }, () => r.normal());
        const scaled = entries(m, n, (i, j) => at[i]! * Q.data[i * n + j]!);
        return plainProduct(plainTranspose(Q), scaled);
      };
      return { A: stacked(Array.from({ length: 3 }, coordinate)) };
    },
    on: ofDiagonals((q) => {
      let f = 0;
      for (let j = 0; j < q.length; j++) {
        f -= q[j]! ** 2;
        q[j] = -2 * q[j]!;
      }
      return f;
    }),
  },
  {
    name: "assignment-relaxed",
    formula: "⟨A(X∘X)B, X∘X⟩ + ⟨L, X∘X⟩, A and B distances of points in the plane",
    ranges: [
      { n: [8, 25], p: "square" },
      { n: [25, 60], p: [5, 15] },
    ],
    draw(n, p, r) {
      const distances = (k: number): Matrix => {
        const at = Array.from({ length: k }, () => [r.uniform(), r.uniform()] as const);
        return entries(k, k, (i, j) => Math.hypot(at[i]![0] - at[j]![0], at[i]![1] - at[j]![1]));
      };
      return { A: distances(n), B: distances(p), L: scaledBy(0.1, gaussian(n, p, r)) };
    },
    on(E, n, p, { A, B, L }) {
      const [S, H] = [E.tall(n, p), E.tall(n, p)];
      const form = quadratic(E, n, p, { B: A!, C: B!, L: L! });
      return (G, X) => {
        const [x, s] = [X.data, S.data];
        for (let k = 0; k < s.length; k++) s[k] = x[k]! * x[k]!;
        const f = form(H, S);
        const [g, h] = [G.data, H.data];
        for (let k = 0; k < g.length; k++) g[k] = 2 * x[k]! * h[k]!;
        return f;
      };
    },
  },
  {
    name: "envelope",
    formula: "log det XᵀMX + log det XᵀNX, M a covariance, N the inverse of a larger one",
    ranges: [TALL, { n: [20, 60], p: [3, 12] }],
    draw(n, p, r) {
      const Q = randomOrthonormal(n, n, r);
      const conjugate = (d: (i: number) => number): Matrix => {
        const values = Array.from({ length: n }, (_, i) => d(i));
        return plainProduct(
          entries(n, n, (i, j) => Q.data[i * n + j]! * values[j]!),
          plainTranspose(Q),
        );
      };
      const spectrum = geometric(0.1, between([3, 30], r), n);
      const M = noisy(gaussian(n, p, r), 0, r);
      const signal = scaledBy(between([0.1, 1], r) / p, plainProduct(M, plainTranspose(M)));
      const [C, inverse] = [conjugate(spectrum), conjugate((i) => 1 / (spectrum(i) + 0.5))];
      return { M: { ...C, data: C.data.map((v, k) => v + signal.data[k]!) }, N: inverse };
    },
    on(E, n, p, { M, N }) {
      const terms = [M!, N!].map((A) => ({ A: E.operator(A), AX: E.tall(n, p), S: E.small(p, p) }));
      const [R, inverse, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
      E.addDiagonal(I, 1);
      return (G, X) => {
        let f = 0;
        for (const [k, { A, AX, S }] of terms.entries()) {
          A.apply(AX, X);
          E.tmul(S, X, AX);
          E.symmetrize(S);
          if (!E.factor.cholesky(R, S)) return Number.POSITIVE_INFINITY;
          const diagonalOfR = E.read(R);
          for (let j = 0; j < p; j++) f += 2 * Math.log(diagonalOfR[j * (p + 1)]!);
          E.factor.solve(inverse, S, I);
          E.mul(G, AX, inverse, 2, k);
        }
        return f;
      };
    },
  },
];
