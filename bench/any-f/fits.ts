/** Residuals: least squares, robust and nearly nonsmooth. */

import type { Chain, Engine, Matrix } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, randomOrthonormal } from "@expen/linalg";
import { chain, smallOf, tallOf } from "@expen/linalg/engine";
import { entries, noisy, scaledBy, withEigenvalues } from "./draw.js";
import type { Data, Family, ValueAndGradient } from "./family.js";

/** ½‖AX − B‖² */
function leftFit(E: Engine, _n: number, p: number, { A, B }: Data): ValueAndGradient {
  const [left, target, R] = [E.operator(A!), tallOf(E, B!), E.tall(A!.rows, p)];
  return (G, X) => {
    E.copy(R, target);
    left.apply(R, X, 1, -1);
    left.applyT(G, R);
    return 0.5 * E.dot(R, R);
  };
}

/** Σ δ²(√(1 + (r/δ)²) − 1) over the entries of R = AX − B */
function pseudoHuber(delta: number) {
  return (E: Engine, _n: number, p: number, { A, B }: Data): ValueAndGradient => {
    const m = A!.rows;
    const [left, target, R, slopes] = [E.operator(A!), tallOf(E, B!), E.tall(m, p), E.tall(m, p)];
    const rho = softened(delta);
    return (G, X) => {
      E.copy(R, target);
      left.apply(R, X, 1, -1);
      const f = E.map([slopes], rho, [R]);
      left.applyT(G, slopes);
      return f;
    };
  };
}

/** Σ δ²(√(1 + (r/δ)²) − 1), and the derivatives r/√(1 + (r/δ)²) */
export const softened = (delta: number): Chain =>
  chain(1, ({ add, div, mul, sqrt, square, sub }, r) => {
    const root = sqrt(add(square(mul(1 / delta, r)), 1));
    return { outputs: [div(r, root)], sum: mul(delta * delta, sub(root, 1)) };
  });

const SIZES = [
  [100, 10],
  [60, 30],
] as const;

/** B = AX with a hidden X, and noise; one entry in ten far off */
function withOutliers(A: Matrix, p: number, r: Parameters<typeof gaussian>[2]): Data {
  const B = noisy(plainProduct(A, randomOrthonormal(A.cols, p, r)), 0.01, r);
  return { A, B: { ...B, data: B.data.map((b) => (r.uniform() < 0.1 ? b + r.normal() : b)) } };
}

export const fits: Family[] = [
  {
    name: "procrustes",
    formula: "½‖AX − B‖², A square Gaussian",
    sizes: SIZES,
    draw(n, p, r) {
      const A = gaussian(n, n, r);
      return { A, B: noisy(plainProduct(A, randomOrthonormal(n, p, r)), 0.1, r) };
    },
    on: leftFit,
  },
  {
    name: "procrustes-square",
    formula: "½‖AX − B‖² for n = p, A of condition 30",
    sizes: [
      [20, 20],
      [40, 40],
    ],
    draw(n, p, r) {
      const A = withEigenvalues(n, r, (i) => 1 + (29 * i) / (n - 1));
      return { A, B: noisy(plainProduct(A, randomOrthonormal(n, p, r)), 1, r) };
    },
    on: leftFit,
  },
  {
    name: "procrustes-right",
    formula: "½‖XA − B‖², A square Gaussian",
    sizes: SIZES,
    draw(n, p, r) {
      const A = gaussian(p, p, r);
      return { A, B: noisy(plainProduct(randomOrthonormal(n, p, r), A), 0.1, r) };
    },
    on(E, n, p, { A, B }) {
      const [right, target, R] = [smallOf(E, A!), tallOf(E, B!), E.tall(n, p)];
      return (G, X) => {
        E.copy(R, target);
        E.mul(R, X, right, 1, -1);
        E.mulT(G, R, right);
        return 0.5 * E.dot(R, R);
      };
    },
  },
  {
    name: "procrustes-both",
    formula: "½‖AXC − B‖², A 2n×n and C p×2p Gaussian",
    sizes: [
      [150, 8],
      [60, 30],
    ],
    draw(n, p, r) {
      const A = scaledBy(1 / Math.sqrt(n), gaussian(2 * n, n, r));
      const C = scaledBy(1 / Math.sqrt(p), gaussian(p, 2 * p, r));
      return { A, C, B: noisy(plainProduct(plainProduct(A, randomOrthonormal(n, p, r)), C), 0.1, r) };
    },
    on(E, n, p, { A, B, C }) {
      const [AX, R, RC] = [E.tall(2 * n, p), E.tall(2 * n, 2 * p), E.tall(2 * n, p)];
      const [left, right, target] = [E.operator(A!), smallOf(E, C!), tallOf(E, B!)];
      return (G, X) => {
        left.apply(AX, X);
        E.copy(R, target);
        E.mul(R, AX, right, 1, -1);
        E.mulT(RC, R, right);
        left.applyT(G, RC);
        return 0.5 * E.dot(R, R);
      };
    },
  },
  {
    name: "huber",
    formula: "pseudo-Huber of AX − B, δ = 0.1, one entry in ten far off",
    sizes: SIZES,
    draw: (n, p, r) => withOutliers(scaledBy(1 / Math.sqrt(n), gaussian(2 * n, n, r)), p, r),
    on: pseudoHuber(0.1),
  },
  {
    name: "absolute",
    formula: "the same with δ = 10⁻³, nearly |AX − B|",
    sizes: [
      [60, 6],
      [40, 20],
    ],
    draw: (n, p, r) => withOutliers(scaledBy(1 / Math.sqrt(n), gaussian(2 * n, n, r)), p, r),
    on: pseudoHuber(1e-3),
  },
  {
    name: "low-rank",
    formula: "½‖W∘(XXᵀY − Y)‖², nine entries in ten known",
    sizes: [
      [100, 5],
      [80, 20],
    ],
    draw(n, p, r) {
      const m = 2 * n;
      const values = entries(p, m, (j) => (1 + (2 * j) / p) * r.normal());
      const Y = noisy(plainProduct(randomOrthonormal(n, p, r), values), 0.1, r);
      return { Y, W: entries(n, m, () => (r.uniform() < 0.9 ? 1 : 0)), Z: plainTranspose(Y) };
    },
    on(E, n, p, { Y, W }) {
      const m = Y!.cols;
      const [known, weights] = [tallOf(E, Y!), tallOf(E, W!)];
      const [YX, XR] = [E.small(m, p), E.small(p, m)];
      const [R, weighted] = [E.tall(n, m), E.tall(n, m)];
      const times = chain(2, ({ mul }, x, y) => ({ outputs: [mul(x, y)] }));
      return (G, X) => {
        E.tmul(YX, known, X);
        E.copy(R, known);
        E.mulT(R, X, YX, 1, -1);
        E.map([weighted], times, [weights, R]);
        // ∇f = (W∘R)YᵀX + Y(W∘R)ᵀX
        E.mul(G, weighted, YX);
        E.tmul(XR, X, weighted);
        E.mulT(G, known, XR, 1, 1);
        return 0.5 * E.dot(weighted, R);
      };
    },
  },
];
