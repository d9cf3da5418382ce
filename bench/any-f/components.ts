/** Functions of W = YX, the samples seen along the columns of X. */

import type { Chain, Engine, Random } from "@expen/linalg";
import { gaussian, plainProduct, randomOrthonormal } from "@expen/linalg";
import { chain, tallOf } from "@expen/linalg/engine";
import { centred, entries, geometric, noisy, scaledBy, standardized } from "./draw.js";
import type { Data, Family, ValueAndGradient } from "./family.js";
import { softened } from "./fits.js";
import { kurtosis, varimax } from "./moments.js";

/** (1/m)·Σ φ(W), W = YX; `phi` has φ' as its output and φ as its sum */
function ofScores(phi: Chain) {
  return (E: Engine, _n: number, p: number, { Y }: Data): ValueAndGradient => {
    const m = Y!.rows;
    const [A, W, slopes] = [E.operator(Y!), E.tall(m, p), E.tall(m, p)];
    return (G, X) => {
      A.apply(W, X);
      const f = E.map([slopes], phi, [W]) / m;
      A.applyT(G, slopes, 1 / m);
      return f;
    };
  };
}

/** Independent sources of different tails, mixed by an orthogonal matrix: mixtures of variance 1 */
function mixtures(n: number, r: Random): Data {
  const m = 2000;
  const power = Array.from({ length: n }, () => 0.8 + 1.2 * r.uniform());
  const source = (j: number): number => Math.sign(r.uniform() - 0.5) * (-Math.log(1 - r.uniform())) ** power[j]!;
  const S = standardized(entries(m, n, (_, j) => source(j)));
  return { Y: plainProduct(S, randomOrthonormal(n, n, r)) };
}

/** Each sample a sum of two columns of a hidden orthogonal matrix */
function sparseSums(n: number, r: Random): Data {
  const S = entries(10 * n, n, () => 0);
  for (let i = 0; i < S.rows; i++) for (let k = 0; k < 2; k++) S.data[i * n + r.integer(n)] = r.normal();
  return { Y: plainProduct(S, randomOrthonormal(n, n, r)) };
}

const SQUARE = [
  [15, 15],
  [30, 30],
] as const;
const PARTIAL = [
  [60, 10],
  [30, 30],
] as const;

/** sparse PCA: weight and width of √(x² + ε²) */
const [LAMBDA, EPSILON] = [0.1, 1e-3];

export const components: Family[] = [
  {
    name: "ica-logcosh",
    formula: "mean of log cosh W, W = YX",
    sizes: SQUARE,
    draw: (n, _p, r) => mixtures(n, r),
    on: ofScores(chain(1, ({ logcosh, tanh }, w) => ({ outputs: [tanh(w)], sum: logcosh(w) }))),
  },
  {
    name: "ica-exp",
    formula: "mean of −exp(−W²/2)",
    sizes: [
      [20, 5],
      [25, 25],
    ],
    draw: (n, _p, r) => mixtures(n, r),
    on: ofScores(
      chain(1, ({ exp, mul, neg, square }, w) => {
        const e = exp(mul(-0.5, square(w)));
        return { outputs: [mul(w, e)], sum: neg(e) };
      }),
    ),
  },
  {
    name: "ica-kurtosis",
    formula: "−½Σ (mean w_j⁴ − 3)²",
    sizes: [
      [20, 5],
      [12, 12],
    ],
    draw: (n, _p, r) => mixtures(n, r),
    on: kurtosis,
  },
  {
    name: "dictionary",
    formula: "mean of −¼W⁴",
    sizes: PARTIAL,
    draw: (n, _p, r) => sparseSums(n, r),
    on: ofScores(
      chain(1, ({ mul, pow, square }, w) => ({ outputs: [mul(-1, pow(w, 3))], sum: mul(-0.25, square(square(w))) })),
    ),
  },
  {
    name: "dictionary-absolute",
    formula: "mean of pseudo-Huber of W, δ = 10⁻², nearly |W|",
    sizes: [
      [40, 5],
      [20, 20],
    ],
    draw: (n, _p, r) => sparseSums(n, r),
    on: ofScores(softened(1e-2)),
  },
  {
    name: "tensor",
    formula: "mean of −⅓W³, the rows of Y orthogonal with weights, and noise",
    sizes: [
      [40, 8],
      [25, 25],
    ],
    draw(n, _p, r) {
      const weight = geometric(1, 3, n);
      const Q = randomOrthonormal(n, n, r);
      return {
        Y: noisy(
          entries(n, n, (i, j) => weight(i) * Q.data[i * n + j]!),
          0.05,
          r,
        ),
      };
    },
    on: ofScores(
      chain(1, ({ mul, neg, pow, square }, w) => ({ outputs: [neg(square(w))], sum: mul(-1 / 3, pow(w, 3)) })),
    ),
  },
  {
    name: "varimax",
    formula: "−¼Σ (mean w_j⁴ − (mean w_j²)²)",
    sizes: [
      [12, 12],
      [30, 30],
    ],
    draw(n, _p, r) {
      const L = entries(20 * n, n, () => (r.uniform() < 0.2 ? r.normal() : 0) + 0.05 * r.normal());
      return { Y: plainProduct(L, randomOrthonormal(n, n, r)) };
    },
    on: varimax,
  },
  {
    name: "robust-pca",
    formula: "mean over samples of √(‖y‖² − ‖Xᵀy‖² + δ²), δ = 0.1, one sample in ten an outlier",
    sizes: [
      [100, 8],
      [60, 20],
    ],
    draw(n, p, r) {
      const m = 4 * n;
      const scores = entries(m, p, (_, j) => (3 - (2 * j) / (p - 1)) * r.normal());
      const Q = randomOrthonormal(n, p, r);
      const rows = plainProduct(
        scores,
        entries(p, n, (j, i) => Q.data[i * p + j]!),
      );
      const Y = noisy(rows, 0.1, r);
      for (let k = 0; k < (m / 10) * n; k++) Y.data[k]! += 3 * r.normal();
      return { Y };
    },
    on: robust,
  },
  {
    name: "sparse-pca",
    formula: `−½‖YX‖²/m + ${LAMBDA}·Σ √(X² + ε²), ε = ${EPSILON}`,
    sizes: [
      [60, 4],
      [40, 12],
    ],
    draw(n, p, r) {
      const m = 100;
      const loads = entries(p, n, () => (r.uniform() < 0.2 ? 1 : 0));
      const Y = centred(noisy(plainProduct(gaussian(m, p, r), scaledBy(0.7, loads)), 0.3, r));
      return { Y };
    },
    on(E, _n, p, { Y }) {
      const m = Y!.rows;
      const [A, W] = [E.operator(Y!), E.tall(m, p)];
      const absolute = chain(1, ({ add, div, mul, sqrt, square }, x) => {
        const root = sqrt(add(square(x), EPSILON * EPSILON));
        return { outputs: [mul(LAMBDA, div(x, root))], sum: mul(LAMBDA, root) };
      });
      return (G, X) => {
        const f = E.map([G], absolute, [X]);
        A.apply(W, X);
        A.applyT(G, W, -1 / m, 1);
        return f - (0.5 * E.dot(W, W)) / m;
      };
    },
  },
];

/** δ of the smoothed distance, in the unit of the data */
const DELTA = 0.1;

/** d = √(a − b + δ²), summed, and 1/d */
const distance = chain(2, ({ add, max, reciprocal, sqrt, sub }, a, b) => {
  const d = sqrt(add(max(sub(a, b), 0), DELTA * DELTA));
  return { outputs: [reciprocal(d)], sum: d };
});

/** (1/m)·Σ_i d_i, d_i = √(‖y_i‖² − ‖Xᵀy_i‖² + δ²) */
export function robust(E: Engine, _n: number, p: number, { Y }: Data): ValueAndGradient {
  const m = Y!.rows;
  const [A, samples, W, V] = [E.operator(Y!), tallOf(E, Y!), E.tall(m, p), E.tall(m, p)];
  const [squares, seen, inverse] = [E.tall(m, 1), E.tall(m, 1), E.tall(m, 1)];
  E.rowDots(squares, samples, samples);
  return (G, X) => {
    A.apply(W, X);
    E.rowDots(seen, W, W);
    const f = E.map([inverse], distance, [squares, seen]);
    E.scaleRows(V, inverse, W);
    A.applyT(G, V, -1 / m);
    return f / m;
  };
}
