/** Quadratic functions, without their forms declared. */

import type { Engine, Matrix } from "@expen/linalg";
import { gaussian, unitSymmetric } from "@expen/linalg";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { diagonal, geometric, scaledBy, stacked, withEigenvalues } from "./draw.js";
import type { Data, Family, ValueAndGradient } from "./family.js";

const TALL_AND_WIDE = [
  [200, 10],
  [120, 30],
] as const;

/** ½⟨X, AX⟩ */
function eigen(E: Engine, _n: number, _p: number, { A }: Data): ValueAndGradient {
  const B = E.operator(A!);
  return (G, X) => {
    B.apply(G, X);
    return 0.5 * E.dot(X, G);
  };
}

/** ½⟨X, BXC⟩ */
function brockett(E: Engine, n: number, p: number, { B, C }: Data): ValueAndGradient {
  const [left, right, BX] = [E.operator(B!), smallOf(E, C!), E.tall(n, p)];
  return (G, X) => {
    left.apply(BX, X);
    E.mul(G, BX, right);
    return 0.5 * E.dot(X, G);
  };
}

/** The square matrices of a stack. */
export const parts = ({ rows, cols, data }: Matrix): Matrix[] =>
  Array.from({ length: rows / cols }, (_, k) => ({
    rows: cols,
    cols,
    data: data.slice(k * cols * cols, (k + 1) * cols * cols),
  }));

/** Terms of Brockett's sum. */
const PARTS = 3;

export const quadratics: Family[] = [
  {
    name: "pca",
    formula: "½⟨X, AX⟩, eigenvalues −1/i",
    sizes: TALL_AND_WIDE,
    draw: (n, _p, r) => ({ A: withEigenvalues(n, r, (i) => -1 / (i + 1)) }),
    on: eigen,
  },
  {
    name: "clustered",
    formula: "½⟨X, AX⟩, eigenvalues −1/k in clusters of p/2, 0.1 % wide",
    sizes: TALL_AND_WIDE,
    draw(n, p, r) {
      const size = Math.ceil(p / 2);
      return { A: withEigenvalues(n, r, (i) => -(1 + 1e-3 * r.normal()) / (1 + Math.floor(i / size))) };
    },
    on: eigen,
  },
  {
    name: "clustered-weighted",
    formula: "½⟨X, BXC⟩, eigenvalues of B −1/k in clusters of p/2, 1 % wide, C = Diag(1 … 2)",
    sizes: TALL_AND_WIDE,
    draw(n, p, r) {
      const size = Math.ceil(p / 2);
      const B = withEigenvalues(n, r, (i) => -(1 + 1e-2 * r.normal()) / (1 + Math.floor(i / size)));
      return { B, C: diagonal(p, (j) => 1 + j / (p - 1)) };
    },
    on: brockett,
  },
  {
    name: "brockett",
    formula: "½⟨X, BXC⟩, B and C Gaussian of norm 1",
    sizes: TALL_AND_WIDE,
    draw: (n, p, r) => ({ B: unitSymmetric(n, r), C: unitSymmetric(p, r) }),
    on: brockett,
  },
  {
    name: "brockett-ill",
    formula: "½⟨X, BXC⟩, eigenvalues of B 10⁻³ … 1 and C = Diag(0.1 … 1), both in equal ratios",
    sizes: [
      [100, 5],
      [60, 15],
    ],
    draw: (n, p, r) => ({ B: withEigenvalues(n, r, geometric(1e-3, 1, n)), C: diagonal(p, geometric(1, 0.1, p)) }),
    on: brockett,
  },
  {
    name: "brockett-sum",
    formula: `½Σ⟨X, B_k·X·C_k⟩, ${PARTS} terms`,
    sizes: [
      [150, 8],
      [80, 30],
    ],
    draw: (n, p, r) => ({
      B: stacked(Array.from({ length: PARTS }, () => unitSymmetric(n, r))),
      C: stacked(Array.from({ length: PARTS }, () => unitSymmetric(p, r))),
    }),
    on(E, n, p, { B, C }) {
      const [Bs, Cs] = [parts(B!).map(E.operator), parts(C!).map((S) => smallOf(E, S))];
      const BX = E.tall(n, p);
      return (G, X) => {
        for (let k = 0; k < PARTS; k++) {
          Bs[k]!.apply(BX, X);
          E.mul(G, BX, Cs[k]!, 1, k === 0 ? 0 : 1);
        }
        return 0.5 * E.dot(X, G);
      };
    },
  },
  {
    name: "quadratic-linear",
    formula: "½⟨X, AX⟩ + ⟨L, X⟩, the linear term a tenth",
    sizes: TALL_AND_WIDE,
    draw: (n, p, r) => ({
      A: unitSymmetric(n, r),
      L: scaledBy(0.1 / (Math.sqrt(n) + Math.sqrt(p)), gaussian(n, p, r)),
    }),
    on(E, _n, _p, { A, L }) {
      const [B, slope] = [E.operator(A!), tallOf(E, L!)];
      return (G, X) => {
        B.apply(G, X);
        const f = 0.5 * E.dot(X, G) + E.dot(slope, X);
        E.combine(G, 1, slope, 1, G);
        return f;
      };
    },
  },
  {
    name: "own-quadratics",
    formula: "½Σ x_jᵀA_jx_j, a matrix for each column",
    sizes: [
      [100, 10],
      [50, 25],
    ],
    draw: (n, p, r) => ({ A: stacked(Array.from({ length: p }, () => unitSymmetric(n, r))) }),
    on(E, n, p, { A }) {
      const [As, x, y] = [parts(A!).map(E.operator), E.tall(n, 1), E.tall(n, 1)];
      return (G, X) => {
        const [from, to, column, image] = [X.data, G.data, x.data, y.data];
        for (let j = 0; j < p; j++) {
          for (let i = 0; i < n; i++) column[i] = from[i * p + j]!;
          As[j]!.apply(y, x);
          for (let i = 0; i < n; i++) to[i * p + j] = image[i]!;
        }
        return 0.5 * E.dot(X, G);
      };
    },
  },
];
