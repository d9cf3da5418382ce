/** Functions of the rows of X, of XXᵀ, and of several subspaces or rotations. */
import type { Engine, Matrix, Random } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, randomOrthonormal } from "@expen/linalg";
import { entries, noisy, scaledBy, stacked } from "../any-f/draw.js";
import type { Data, ValueAndGradient } from "../any-f/family.js";
import { parts } from "../any-f/quadratics.js";
import { between, type HoldOutFamily, SMALL_SQUARE, SQUARE, TALL } from "./family.js";

/** Σ_k √(‖X − R_k‖² + δ²) of points R_k */
function distances(E: Engine, n: number, p: number, { R, delta }: Data): ValueAndGradient {
  const points = Array.from({ length: R!.rows / n }, (_, k) =>
    E.tall(n, p, R!.data.subarray(k * n * p, (k + 1) * n * p)),
  );
  const W = E.tall(n, p);
  return (G, X) => {
    let f = 0;
    for (const [k, point] of points.entries()) {
      E.combine(W, 1, X, -1, point);
      const root = Math.sqrt(E.dot(W, W) + delta!.data[0]! ** 2);
      f += root;
      E.combine(G, 1 / root, W, k === 0 ? 0 : 1, G);
    }
    return f;
  };
}

const around = (X: Matrix, spread: number, r: Random): Matrix => noisy(X, spread / Math.sqrt(X.rows), r);

export const others: HoldOutFamily[] = [
  {
    name: "median-rotation",
    formula: "Σ_k √(‖X − R_k‖² + δ²), points near a hidden one, some far off",
    ranges: [SMALL_SQUARE, { n: [20, 60], p: [3, 10] }],
    draw(n, p, r) {
      const hidden = randomOrthonormal(n, p, r);
      const spread = between([0.1, 1], r);
      const point = (): Matrix => (r.uniform() < 0.2 ? randomOrthonormal(n, p, r) : around(hidden, spread, r));
      return { R: stacked(Array.from({ length: 12 }, point)), delta: entries(1, 1, () => between([1e-3, 0.1], r)) };
    },
    on: distances,
  },
  {
    name: "median-subspace",
    formula: "Σ_k √(p − ‖XᵀQ_k‖² + δ²), subspaces near a hidden one, some far off",
    ranges: [
      { n: [20, 100], p: [2, 8] },
      { n: [15, 50], p: [5, 12] },
    ],
    draw(n, p, r) {
      const hidden = randomOrthonormal(n, p, r);
      const spread = between([0.2, 1], r);
      const point = (): Matrix => {
        const Q = r.uniform() < 0.2 ? randomOrthonormal(n, p, r) : around(hidden, spread, r);
        const length = Math.sqrt(Q.data.reduce((sum, v) => sum + v * v, 0) / p);
        const unit = scaledBy(1 / length, Q);
        return plainProduct(unit, plainTranspose(unit));
      };
      return { P: stacked(Array.from({ length: 10 }, point)), delta: entries(1, 1, () => between([0.01, 0.3], r)) };
    },
    on(E, n, p, { P, delta }) {
      const projectors = parts(P!).map(E.operator);
      const W = E.tall(n, p);
      return (G, X) => {
        let f = 0;
        E.fill(G, 0);
        for (const A of projectors) {
          A.apply(W, X);
          const root = Math.sqrt(Math.max(p - E.dot(X, W), 0) + delta!.data[0]! ** 2);
          f += root;
          E.combine(G, -1 / root, W, 1, G);
        }
        return f;
      };
    },
  },
  {
    name: "completion",
    formula: "½‖M∘(XXᵀY − Y)‖², Y of rank p with noise, 30 to 90 % of the entries known",
    ranges: [
      { n: [30, 120], p: [2, 6] },
      { n: [20, 60], p: [6, 12] },
    ],
    draw(n, p, r) {
      const [m, known] = [2 * n, between([0.3, 0.9], r)];
      const Y = noisy(plainProduct(gaussian(n, p, r), gaussian(p, m, r)), between([0.01, 0.3], r), r);
      const M = entries(n, m, () => (r.uniform() < known ? 1 : 0));
      return { Y: { ...Y, data: Y.data.map((y, k) => y * M.data[k]!) }, M };
    },
    on(E, n, p, { Y, M }) {
      const m = Y!.cols;
      const A = E.operator(Y!);
      const [T, R, W] = [E.tall(m, p), E.tall(n, m), E.tall(m, p)];
      const S = E.small(m, p);
      return (G, X) => {
        A.applyT(T, X);
        E.write(S, E.read(T));
        E.mulT(R, X, S);
        const [r, y, mask] = [R.data, Y!.data, M!.data];
        let f = 0;
        for (let k = 0; k < r.length; k++) {
          r[k] = mask[k]! * (r[k]! - y[k]!);
          f += 0.5 * r[k]! ** 2;
        }
        E.mul(G, R, S);
        const RX = E.small(m, p);
        E.tmul(RX, R, X);
        E.write(W, E.read(RX));
        A.apply(G, W, 1, 1);
        return f;
      };
    },
  },
  {
    name: "tight-frame",
    formula: "Σ_(i≠k) ⟨r_i, r_k⟩⁴ of the rows r_i of X, scaled",
    ranges: [
      { n: [12, 40], p: [3, 8] },
      { n: [30, 80], p: [6, 15] },
    ],
    draw: () => ({}),
    on(E, n, p) {
      const [R, S] = [E.tall(n, n), E.small(n, p)];
      const scale = (n / p) ** 3;
      return (G, X) => {
        E.write(S, E.read(X));
        E.mulT(R, X, S);
        const r = R.data;
        let f = 0;
        for (let i = 0; i < n; i++) {
          for (let k = 0; k < n; k++) {
            const v = i === k ? 0 : r[i * n + k]!;
            f += scale * v ** 4;
            r[i * n + k] = 8 * scale * v ** 3;
          }
        }
        E.mul(G, R, S);
        return f;
      };
    },
  },
  {
    name: "entropy",
    formula: "−Σ w²·log(w² + 10⁻³), W = QX: few large entries",
    ranges: [SMALL_SQUARE, SQUARE, { n: [30, 100], p: [2, 8] }],
    draw: (n, _p, r) => ({ Q: randomOrthonormal(n, n, r) }),
    on(E, n, p, { Q }) {
      const [A, W] = [E.operator(Q!), E.tall(n, p)];
      return (G, X) => {
        A.apply(W, X);
        const w = W.data;
        let f = 0;
        for (let k = 0; k < w.length; k++) {
          const square = w[k]! ** 2;
          const logarithm = Math.log(square + 1e-3);
          f -= square * logarithm;
          w[k] = -2 * w[k]! * (logarithm + square / (square + 1e-3));
        }
        A.applyT(G, W);
        return f;
      };
    },
  },
  {
    name: "sparse-directions",
    formula: "−½‖YX‖²/m + λ·Σ √(X² + ε²), λ and ε drawn",
    ranges: [TALL, { n: [20, 60], p: [5, 12] }],
    draw(n, p, r) {
      const [m, k] = [3 * n, Math.ceil(n / 8)];
      const loads = entries(n, p, () => 0);
      for (let j = 0; j < p; j++) for (let i = 0; i < k; i++) loads.data[r.integer(n) * p + j] = r.normal();
      const Y = noisy(plainProduct(gaussian(m, p, r), plainTranspose(loads)), 0.3, r);
      return { Y, weights: entries(2, 1, (i) => between(i === 0 ? [0.02, 0.3] : [3e-3, 0.1], r)) };
    },
    on(E, _n, p, { Y, weights }) {
      const m = Y!.rows;
      const [A, W] = [E.operator(Y!), E.tall(m, p)];
      const [lambda, epsilon] = weights!.data as unknown as [number, number];
      return (G, X) => {
        A.apply(W, X);
        A.applyT(G, W, -1 / m);
        let f = (-0.5 / m) * E.dot(W, W);
        const [g, x] = [G.data, X.data];
        for (let k = 0; k < g.length; k++) {
          const root = Math.hypot(x[k]!, epsilon);
          f += lambda * root;
          g[k]! += (lambda * x[k]!) / root;
        }
        return f;
      };
    },
  },
];
