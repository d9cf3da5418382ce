/** Functions of the numbers x_jᵀAx_j and of XᵀAX: ratios, logarithms, exponentials. */

import type { Engine, Matrix } from "@expen/linalg";
import { gaussian, plain, plainProduct, plainTranspose, randomOrthonormal, unitSymmetric } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import { entries, geometric, noisy, scaledBy, stacked, withEigenvalues } from "./draw.js";
import type { Data, Family, ValueAndGradient } from "./family.js";
import { parts } from "./quadratics.js";

/** −⟨X, AX⟩/⟨X, BX⟩ */
export function traceRatio(E: Engine, n: number, p: number, { A, B }: Data): ValueAndGradient {
  const [above, below, BX] = [E.operator(A!), E.operator(B!), E.tall(n, p)];
  return (G, X) => {
    above.apply(G, X);
    below.apply(BX, X);
    const [a, b] = [E.dot(X, G), E.dot(X, BX)];
    E.combine(G, (2 * a) / b ** 2, BX, -2 / b, G);
    return -a / b;
  };
}

/** c_j ← ⟨x_j, y_j⟩ */
function columnDots(c: Float64Array, X: Matrix, Y: Matrix): void {
  const [p, x, y] = [c.length, X.data, Y.data];
  c.fill(0);
  for (let i = 0; i < x.length; i += p) for (let j = 0; j < p; j++) c[j]! += x[i + j]! * y[i + j]!;
}

/** G ← G·Diag(c) + b·H */
function scaleColumns(G: Matrix, c: Float64Array, H: Matrix, b: number): void {
  const [p, g, h] = [c.length, G.data, H.data];
  if (b === 0) g.fill(0);
  for (let i = 0; i < g.length; i += p) for (let j = 0; j < p; j++) g[i + j]! += c[j]! * h[i + j]!;
}

/** Q·Diag·Qᵀ with one Q for all, and noise: nearly diagonal together */
function nearlyJoint(
  n: number,
  count: number,
  noise: number,
  value: () => number,
  r: Parameters<typeof gaussian>[2],
): Matrix {
  const Q = randomOrthonormal(n, n, r);
  const one = (): Matrix => {
    const d = Array.from({ length: n }, value);
    const A = plainProduct(
      entries(n, n, (i, j) => Q.data[i * n + j]! * d[j]!),
      plainTranspose(Q),
    );
    const N = gaussian(n, n, r);
    const symmetric = (B: Matrix, i: number, j: number): number => (B.data[i * n + j]! + B.data[j * n + i]!) / 2;
    return entries(n, n, (i, j) => symmetric(A, i, j) + noise * symmetric(N, i, j));
  };
  return stacked(Array.from({ length: count }, one));
}

/** Σ_k A_kX and x_jᵀA_kx_j for a stack of A_k; `weigh` gives the value of a row of numbers and makes them weights of the gradient */
function ofDiagonals(weigh: (q: Float64Array) => number) {
  return (E: Engine, n: number, p: number, { A }: Data): ValueAndGradient => {
    const [As, AX, q] = [parts(A!).map(E.operator), E.tall(n, p), new Float64Array(p)];
    return (G, X) => {
      let f = 0;
      for (let k = 0; k < As.length; k++) {
        As[k]!.apply(AX, X);
        columnDots(q, X, AX);
        f += weigh(q);
        scaleColumns(G, q, AX, k);
      }
      return f;
    };
  };
}

export const forms: Family[] = [
  {
    name: "trace-ratio",
    formula: "−⟨X, AX⟩/⟨X, BX⟩, A Gaussian, B a covariance",
    sizes: [
      [200, 10],
      [120, 30],
    ],
    draw(n, _p, r) {
      const A = unitSymmetric(n, r);
      const M = gaussian(n, 2 * n, r);
      const B = scaledBy(1 / (2 * n), plainProduct(M, plainTranspose(M)));
      return { A, B: entries(n, n, (i, j) => B.data[i * n + j]! + (i === j ? 0.1 : 0)) };
    },
    on: traceRatio,
  },
  {
    name: "log-determinant",
    formula: "−½ log det XᵀAX, eigenvalues of A 10⁻² … 1",
    sizes: [
      [150, 8],
      [80, 25],
    ],
    draw: (n, _p, r) => ({ A: withEigenvalues(n, r, geometric(1e-2, 1, n)) }),
    on(E, n, p, { A }) {
      const [B, AX] = [E.operator(A!), E.tall(n, p)];
      const [S, inverse, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
      E.addDiagonal(I, 1);
      return (G, X) => {
        B.apply(AX, X);
        E.tmul(S, X, AX);
        E.symmetrize(S);
        E.factor.solve(inverse, S, I);
        E.mul(G, AX, inverse, -1);
        return -0.5 * logDeterminant(S);
      };
    },
  },
  {
    name: "sum-of-logarithms",
    formula: "½Σ_kj log x_jᵀA_kx_j, five covariances with common axes",
    sizes: [
      [40, 8],
      [20, 20],
    ],
    draw: (n, _p, r) => {
      const A = nearlyJoint(n, 5, 0, () => Math.exp(1.5 * r.normal()), r);
      const count = A.rows / n;
      const N = stacked(Array.from({ length: count }, () => withEigenvalues(n, r, () => 0.05 + 0.2 * r.uniform())));
      return { A: { ...A, data: A.data.map((v, k) => v + N.data[k]!) } };
    },
    on: ofDiagonals((q) => {
      let f = 0;
      for (let j = 0; j < q.length; j++) {
        f += 0.5 * Math.log(q[j]!);
        q[j] = 1 / q[j]!;
      }
      return f;
    }),
  },
  {
    name: "joint-diagonalization",
    formula: "−½Σ_kj (x_jᵀA_kx_j)², five nearly commuting matrices",
    sizes: [
      [60, 10],
      [30, 30],
    ],
    draw: (n, _p, r) => ({ A: nearlyJoint(n, 5, 0.05, () => r.normal(), r) }),
    on: ofDiagonals((q) => {
      let f = 0;
      for (let j = 0; j < q.length; j++) {
        f -= 0.5 * q[j]! ** 2;
        q[j]! *= -2;
      }
      return f;
    }),
  },
  {
    name: "exponentials",
    formula: "Σ_j exp(c_j·x_jᵀAx_j), eigenvalues of A 10⁻² … 1, c = 1 … 3",
    sizes: [
      [150, 8],
      [60, 30],
    ],
    draw: (n, _p, r) => ({ A: withEigenvalues(n, r, geometric(1e-2, 1, n)) }),
    on: ofDiagonals((q) => {
      let f = 0;
      for (let j = 0; j < q.length; j++) {
        const c = 1 + (2 * j) / (q.length - 1);
        const e = Math.exp(c * q[j]!);
        f += e;
        q[j] = 2 * c * e;
      }
      return f;
    }),
  },
  {
    name: "canonical-cubic",
    formula: "½⟨X, AX⟩ + ⅙Σ (LX)³, a saddle-rich mixture",
    sizes: [
      [80, 8],
      [40, 20],
    ],
    draw: (n, p, r) => ({ A: unitSymmetric(n, r), L: noisy(plain(2 * p, n), 1 / Math.sqrt(n), r) }),
    on(E, _n, p, { A, L }) {
      const [quadratic, cubic] = [E.operator(A!), E.operator(L!)];
      const [W, slopes] = [E.tall(L!.rows, p), E.tall(L!.rows, p)];
      const third = chain(1, ({ mul, pow, square }, w) => ({
        outputs: [mul(0.5, square(w))],
        sum: mul(1 / 6, pow(w, 3)),
      }));
      return (G, X) => {
        quadratic.apply(G, X);
        cubic.apply(W, X);
        const f = 0.5 * E.dot(X, G) + E.map([slopes], third, [W]);
        cubic.applyT(G, slopes, 1, 1);
        return f;
      };
    },
  },
];

/** log det of a positive definite matrix by elimination; NaN where it is not */
function logDeterminant({ rows, data }: Matrix): number {
  const a = Float64Array.from(data);
  let sum = 0;
  for (let k = 0; k < rows; k++) {
    const pivot = a[k * rows + k]!;
    sum += Math.log(pivot);
    for (let i = k + 1; i < rows; i++) {
      const t = a[i * rows + k]! / pivot;
      for (let j = k + 1; j < rows; j++) a[i * rows + j]! -= t * a[k * rows + j]!;
    }
  }
  return sum;
}
