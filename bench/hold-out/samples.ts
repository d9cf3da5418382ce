/** Functions of samples Y, seen along the columns of X. */
import type { Engine, Matrix, Random } from "@expen/linalg";
import { gaussian, plainProduct, randomOrthonormal } from "@expen/linalg";
import { centred, entries, geometric, noisy, standardized } from "../any-f/draw.js";
import type { Data, ValueAndGradient } from "../any-f/family.js";
import { kurtosis, varimax } from "../any-f/moments.js";
import { between, type HoldOutFamily, SMALL_SQUARE, SQUARE, TALL } from "./family.js";

/** The value of φ(W), which makes W its gradient; m×p numbers, row after row */
type OfScores = (W: Float64Array, m: number, p: number) => number;

function ofScores(phiOf: (data: Data) => OfScores) {
  return (E: Engine, _n: number, p: number, data: Data): ValueAndGradient => {
    const m = data.Y!.rows;
    const [A, W, phi] = [E.operator(data.Y!), E.tall(m, p), phiOf(data)];
    return (G, X) => {
      A.apply(W, X);
      const f = phi(W.data, m, p);
      A.applyT(G, W);
      return f;
    };
  };
}

/** Σ of a function of one score, over m; `phi` returns [value, derivative] */
const mean = (phi: (w: number) => readonly [number, number]): (() => OfScores) => {
  return () => (W, m) => {
    let f = 0;
    for (let k = 0; k < W.length; k++) {
      const [value, slope] = phi(W[k]!);
      f += value / m;
      W[k] = slope / m;
    }
    return f;
  };
};

/** Sources of drawn tails, mixed by an orthogonal matrix */
function mixtures(n: number, r: Random): Data {
  const m = Math.round(between([500, 3000], r));
  const powers = Array.from({ length: n }, () => between([0.4, 2], r));
  const S = entries(m, n, (_, j) => Math.sign(r.uniform() - 0.5) * (-Math.log(1 - r.uniform())) ** powers[j]!);
  return { Y: plainProduct(standardized(S), randomOrthonormal(n, n, r)) };
}

/** Sparse codes of a hidden orthogonal matrix: an entry is present with a chance of 5 to 40 % */
function sparseCodes(n: number, r: Random): Data {
  const [m, chance] = [Math.round(between([300, 2000], r)), between([0.05, 0.4], r)];
  const S = entries(m, n, () => (r.uniform() < chance ? r.normal() / Math.sqrt(chance) : 0));
  return { Y: noisy(plainProduct(S, randomOrthonormal(n, n, r)), 0.02, r) };
}

/** Samples with a drawn decay of variances */
const samples = (n: number, m: number, r: Random): Matrix => {
  const deviation = geometric(1, between([0.02, 0.5], r), n);
  const S = entries(m, n, (_, j) => deviation(j) * r.normal());
  return centred(plainProduct(S, randomOrthonormal(n, n, r)));
};

/** Loadings with a hidden simple structure, of which the axes are sought */
const loadings = (n: number, r: Random): Data => {
  const A = entries(8 * n, n, (i, j) => (i % n === j ? 0.4 + 0.6 * r.uniform() : 0.15 * r.normal()));
  return { Y: plainProduct(A, randomOrthonormal(n, n, r)) };
};

const BOTH = [SMALL_SQUARE, SQUARE];

export const ofSamples: HoldOutFamily[] = [
  {
    name: "ica",
    formula: "mean of log cosh W, W = YX, sources of drawn tails",
    ranges: BOTH,
    draw: (n, _p, r) => mixtures(n, r),
    on: ofScores(mean((w) => [Math.abs(w) + Math.log1p(Math.exp(-2 * Math.abs(w))), Math.tanh(w)])),
  },
  {
    name: "ica-kurtosis",
    formula: "−½Σ (mean w_j⁴ − 3)², sources of drawn tails",
    ranges: [SMALL_SQUARE, { n: [10, 40], p: [2, 6] }],
    draw: (n, _p, r) => mixtures(n, r),
    on: kurtosis,
  },
  {
    name: "dictionary",
    formula: "mean of −¼W⁴, codes of drawn sparsity",
    ranges: BOTH,
    draw: (n, _p, r) => sparseCodes(n, r),
    on: ofScores(mean((w) => [-0.25 * w ** 4, -(w ** 3)])),
  },
  {
    name: "dictionary-cubes",
    formula: "mean of −⅓|W|³, likewise",
    ranges: BOTH,
    draw: (n, _p, r) => sparseCodes(n, r),
    on: ofScores(mean((w) => [-(Math.abs(w) ** 3) / 3, -w * Math.abs(w)])),
  },
  {
    name: "varimax",
    formula: "−¼Σ (mean w_j⁴ − (mean w_j²)²), loadings of a simple structure",
    ranges: BOTH,
    draw: (n, _p, r) => loadings(n, r),
    on: varimax,
  },
  {
    name: "geomin",
    formula: "Σ over rows of the geometric mean of W² + 0.01",
    ranges: BOTH,
    draw: (n, _p, r) => loadings(n, r),
    on: ofScores(() => (W, m, p) => {
      let f = 0;
      for (let i = 0; i < m; i++) {
        let logarithms = 0;
        for (let j = 0; j < p; j++) logarithms += Math.log(W[i * p + j]! ** 2 + 0.01);
        const product = Math.exp(logarithms / p);
        f += product;
        for (let k = i * p; k < (i + 1) * p; k++) W[k] = ((2 * product) / p) * (W[k]! / (W[k]! ** 2 + 0.01));
      }
      return f;
    }),
  },
  {
    name: "l1-pca",
    formula: "−mean of √(W² + δ²), δ = 0.01 … 0.1",
    ranges: [
      { n: [30, 150], p: [2, 8] },
      { n: [20, 60], p: [8, 15] },
    ],
    draw: (n, _p, r) => ({ Y: samples(n, 3 * n, r), delta: entries(1, 1, () => between([0.01, 0.1], r)) }),
    on: ofScores(({ delta }) => {
      const width = delta!.data[0]!;
      return mean((w) => [-Math.hypot(w, width), -w / Math.hypot(w, width)])();
    }),
  },
  {
    name: "classes",
    formula: "mean of log Σ_j exp w_ij − w_i,class, p classes",
    ranges: [TALL, { n: [20, 60], p: [5, 15] }],
    draw(n, p, r) {
      const [m, strength] = [4 * n, between([1, 5], r)];
      const centres = gaussian(p, n, r);
      const labels = Array.from({ length: m }, () => r.integer(p));
      const Y = entries(m, n, (i, k) => strength * (0.3 * centres.data[labels[i]! * n + k]! + r.normal()));
      return { Y, labels: entries(m, 1, (i) => labels[i]!) };
    },
    on: ofScores(({ labels }) => (W, m, p) => {
      let f = 0;
      for (let i = 0; i < m; i++) {
        const w = W.subarray(i * p, (i + 1) * p);
        const top = w.reduce((most, v) => Math.max(most, v), Number.NEGATIVE_INFINITY);
        const total = w.reduce((sum, v) => sum + Math.exp(v - top), 0);
        const own = labels!.data[i]!;
        f += (top + Math.log(total) - w[own]!) / m;
        for (let j = 0; j < p; j++) w[j] = (Math.exp(w[j]! - top) / total - (j === own ? 1 : 0)) / m;
      }
      return f;
    }),
  },
  {
    name: "layer",
    formula: "½ mean of (tanh W − T)², T that of a hidden X, with noise",
    ranges: [TALL, SQUARE],
    draw(n, p, r) {
      const size = between([0.5, 3], r);
      const Y = entries(3 * n, n, () => size * r.normal());
      const hidden = plainProduct(Y, randomOrthonormal(n, p, r));
      return { Y, T: noisy({ ...hidden, data: hidden.data.map(Math.tanh) }, 0.1, r) };
    },
    on: ofScores(({ T }) => (W, m) => {
      let f = 0;
      for (let k = 0; k < W.length; k++) {
        const value = Math.tanh(W[k]!);
        const excess = value - T!.data[k]!;
        f += (0.5 * excess * excess) / m;
        W[k] = (excess * (1 - value * value)) / m;
      }
      return f;
    }),
  },
  {
    name: "distances-kept",
    formula: "mean of (‖Xᵀd_i‖² − c_i)² over differences d_i of samples, c_i drawn",
    ranges: [
      { n: [20, 100], p: [2, 8] },
      { n: [15, 40], p: [5, 12] },
    ],
    draw(n, p, r) {
      const m = 5 * n;
      const Y = samples(n, m, r);
      const hidden = plainProduct(Y, randomOrthonormal(n, p, r));
      const square = (i: number): number => {
        let sum = 0;
        for (let j = 0; j < p; j++) sum += hidden.data[i * p + j]! ** 2;
        return sum * (1 + 0.2 * r.normal());
      };
      return { Y, c: entries(m, 1, square) };
    },
    on: ofScores(({ c }) => (W, m, p) => {
      let f = 0;
      for (let i = 0; i < m; i++) {
        let excess = -c!.data[i]!;
        for (let j = 0; j < p; j++) excess += W[i * p + j]! ** 2;
        f += (excess * excess) / m;
        for (let j = 0; j < p; j++) W[i * p + j]! *= (4 * excess) / m;
      }
      return f;
    }),
  },
];
