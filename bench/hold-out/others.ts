/** Functions of the rows of X, of XXᵀ and of several subspaces or rotations. */
import type { Engine, Matrix, Random, Sparse } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, randomOrthonormal } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { entries, noisy, scaledBy, stacked } from "../any-f/draw.js";
import type { Data, ValueAndGradient } from "../any-f/family.js";
import { parts } from "../any-f/quadratics.js";
import { between, type HoldOutFamily, SMALL_SQUARE, SQUARE, TALL, WIDE } from "./family.js";

/** The five-point stencil on a grid of `side`² points; rows beyond it are 0. */
function laplacian(n: number, side: number): Sparse {
  const [pointers, indices, values] = [new Int32Array(n + 1), [] as number[], [] as number[]];
  const put = (j: number, value: number): void => {
    indices.push(j);
    values.push(value);
  };
  for (let k = 0; k < n; k++) {
    const [i, j] = [Math.floor(k / side), k % side];
    if (i < side) {
      if (i > 0) put(k - side, -1);
      if (j > 0) put(k - 1, -1);
      put(k, 4);
      if (j < side - 1) put(k + 1, -1);
      if (i < side - 1) put(k + side, -1);
    }
    pointers[k + 1] = indices.length;
  }
  return { rows: n, cols: n, pointers, indices: Int32Array.from(indices), values: Float64Array.from(values) };
}

/** Adds g(ρ) of ρ_i = ‖row i‖², `potential` returns g(ρ_i) and its derivative, to f, and its gradient to G. */
function addDensity(G: Matrix, X: Matrix, potential: (rho: number, i: number) => readonly [number, number]): number {
  const [g, x, p] = [G.data, X.data, X.cols];
  let f = 0;
  for (let i = 0; i < X.rows; i++) {
    let rho = 0;
    for (let k = i * p; k < (i + 1) * p; k++) rho += x[k]! ** 2;
    const [value, slope] = potential(rho, i);
    f += value;
    for (let k = i * p; k < (i + 1) * p; k++) g[k]! += 2 * slope * x[k]!;
  }
  return f;
}

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
    name: "condensate-2d",
    formula: "½⟨X, LX⟩ + ½vᵀρ + α/4·Σρ², L on a grid in the plane, v a trap with noise",
    ranges: [
      { n: [100, 900], p: [2, 8] },
      { n: [64, 256], p: [8, 20] },
    ],
    draw(n, _p, r) {
      const side = Math.floor(Math.sqrt(n));
      const trap = between([0.3, 3], r);
      const at = (k: number): number => (2 * k) / (side - 1) - 1;
      const V = entries(n, 1, (i) => trap * (at(Math.floor(i / side)) ** 2 + at(i % side) ** 2) + 0.3 * r.uniform());
      return { V, alpha: entries(1, 1, () => between([1, 20], r)) };
    },
    on(E, n, _p, { V, alpha }) {
      const side = Math.floor(Math.sqrt(n));
      const L = E.operator(laplacian(n, side));
      const a = alpha!.data[0]!;
      return (G, X) => {
        L.apply(G, X);
        const f = 0.5 * E.dot(X, G);
        const potential = (rho: number, i: number): readonly [number, number] => {
          const v = V!.data[i]! / 2;
          return [(v + (a / 4) * rho) * rho, v + (a / 2) * rho];
        };
        return f + addDensity(G, X, potential);
      };
    },
  },
  {
    name: "repelling-electrons",
    formula: "½⟨X, LX⟩ + α/4·ρᵀ(L + sI)⁻¹ρ, L = tridiag(−1, 2, −1), s = 0 or more",
    ranges: [TALL, WIDE],
    draw: (_n, _p, r) => ({
      alpha: entries(1, 1, () => between([0.1, 10], r)),
      shift: entries(1, 1, () => (r.uniform() < 0.5 ? 0 : between([1e-3, 0.1], r))),
    }),
    on(E, n, _p, { alpha, shift }) {
      const [L, M] = [0, shift!.data[0]!].map((s) => E.operator(constantTridiagonal(n, -1, 2 + s, -1)));
      const [rho, v] = [E.tall(n, 1), E.tall(n, 1)];
      const a = alpha!.data[0]!;
      return (G, X) => {
        E.rowDots(rho, X, X);
        M!.solve!(v, rho);
        L!.apply(G, X);
        const f = 0.5 * E.dot(X, G) + (a / 4) * E.dot(rho, v);
        E.scaleRows(G, v, X, a, 1);
        return f;
      };
    },
  },
  {
    name: "exchange",
    formula: "½⟨X, LX⟩ + ½vᵀρ − ¾Σρ^(4/3), v drawn",
    ranges: [TALL, WIDE],
    draw: (n, _p, r) => ({ V: scaledBy(between([0.1, 1], r), gaussian(n, 1, r)) }),
    on(E, n, _p, { V }) {
      const L = E.operator(constantTridiagonal(n, -1, 2, -1));
      return (G, X) => {
        L.apply(G, X);
        const f = 0.5 * E.dot(X, G);
        const potential = (rho: number, i: number): readonly [number, number] => {
          const root = Math.cbrt(rho);
          return [(V!.data[i]! / 2 - 0.75 * root) * rho, V!.data[i]! / 2 - root];
        };
        return f + addDensity(G, X, potential);
      };
    },
  },
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
