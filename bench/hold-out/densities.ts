/** Functions of X and of its density ρ_i = ‖row i‖². */
import type { Matrix, Sparse } from "@expen/linalg";
import { gaussian } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { entries, scaledBy } from "../any-f/draw.js";
import { between, type HoldOutFamily, TALL, WIDE } from "./family.js";

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

export const densities: HoldOutFamily[] = [
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
];
