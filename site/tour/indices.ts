/** What makes a projection worth a look: functions of a plane, to be minimised. */
import type { Matrix } from "expen";

export interface Index {
  title: string;
  /** one sentence */
  help: string;
  needsClasses: boolean;
  /** `rows`: centred, with the identity as covariance for `sphered` */
  sphered: boolean;
  make(rows: readonly (readonly number[])[], classes: readonly number[]): PlaneFunction;
}

/** f and ∇f of a d×2 matrix; the index is −f */
export interface PlaneFunction {
  f(X: Matrix): number;
  grad(G: Matrix, X: Matrix): void;
}

/** Two columns; exp(−p/2) is the mean of exp(−½‖y‖²) where all points lie at their mean distance √p. */
const BORDER = Math.exp(-1);

/** sign·mean exp(−½‖y_i‖²) with y = Xᵀz, between 0 and 1 as Cook, Buja and Cabrera (1993) scale it */
function massAtCentre(rows: readonly (readonly number[])[], sign: 1 | -1): PlaneFunction {
  const n = rows.length;
  const project = (row: readonly number[], X: Float64Array): [number, number] => {
    let [a, b] = [0, 0];
    for (const [k, v] of row.entries()) {
      a += v * X[2 * k]!;
      b += v * X[2 * k + 1]!;
    }
    return [a, b];
  };
  return {
    f({ data }) {
      let sum = 0;
      for (const row of rows) {
        const [a, b] = project(row, data);
        sum += Math.exp(-(a * a + b * b) / 2);
      }
      // central mass is (mean − border)/(1 − border), holes (1 − mean)/(1 − border)
      return (-sign * (sum / n - (sign > 0 ? BORDER : 1))) / (1 - BORDER);
    },
    grad({ data: G }, { data }) {
      G.fill(0);
      const scale = sign / (n * (1 - BORDER));
      for (const row of rows) {
        const [a, b] = project(row, data);
        const weight = scale * Math.exp(-(a * a + b * b) / 2);
        for (const [k, v] of row.entries()) {
          G[2 * k]! += weight * a * v;
          G[2 * k + 1]! += weight * b * v;
        }
      }
    },
  };
}

type Square = readonly (readonly number[])[];

/** Σ z·zᵀ */
function scatter(rows: Square): number[][] {
  const d = rows[0]!.length;
  const S = Array.from({ length: d }, () => new Array<number>(d).fill(0));
  for (const row of rows) for (const [i, v] of row.entries()) for (const [j, w] of row.entries()) S[i]![j]! += v * w;
  return S;
}

/** SX, and the 2×2 matrix XᵀSX with its inverse and determinant */
function small(S: Square, X: Float64Array) {
  const SX = S.map((row) => [0, 1].map((j) => row.reduce((sum, v, k) => sum + v * X[2 * k + j]!, 0)));
  const entry = (i: number, j: number): number => SX.reduce((sum, row, k) => sum + X[2 * k + i]! * row[j]!, 0);
  const [a, b, c] = [entry(0, 0), entry(0, 1), entry(1, 1)];
  const det = a * c - b * b;
  return { SX, det, inverse: [c / det, -b / det, a / det] as const };
}

/** log det XᵀWX − log det XᵀTX: Wilks' Λ of the projection is its exponential [Lee, Cook, Klinke, Lumley 2005] */
function wilks(rows: Square, classes: readonly number[]): PlaneFunction {
  const groups = [...new Set(classes)].map((g) => rows.filter((_, i) => classes[i] === g));
  const within = groups.map((own) => {
    const mean = own[0]!.map((_, j) => own.reduce((sum, row) => sum + row[j]!, 0) / own.length);
    return scatter(own.map((row) => row.map((v, j) => v - mean[j]!)));
  });
  const T = scatter(rows);
  // a little of T keeps classes without scatter of their own from a logarithm of 0
  const W = T.map((row, i) => row.map((v, j) => within.reduce((sum, S) => sum + S[i]![j]!, 1e-9 * v)));
  return {
    f: ({ data }) => Math.log(small(W, data).det) - Math.log(small(T, data).det),
    grad({ data: G }, { data }) {
      const [w, t] = [small(W, data), small(T, data)];
      const part = ({ SX, inverse: [a, b, c] }: typeof w, k: number): [number, number] => {
        const [x, y] = SX[k] as [number, number];
        return [2 * (x * a + y * b), 2 * (x * b + y * c)];
      };
      for (const k of W.keys()) {
        const [p, q] = [part(w, k), part(t, k)];
        G[2 * k] = p[0] - q[0];
        G[2 * k + 1] = p[1] - q[1];
      }
    },
  };
}

/** −tr XᵀSX/tr S */
function variance(rows: Square): PlaneFunction {
  const S = scatter(rows);
  const total = S.reduce((sum, row, i) => sum + row[i]!, 0);
  return {
    f: ({ data }) =>
      -small(S, data).SX.reduce((sum, [x, y], k) => sum + x! * data[2 * k]! + y! * data[2 * k + 1]!, 0) / total,
    grad({ data: G }, { data }) {
      for (const [k, [x, y]] of small(S, data).SX.entries()) {
        G[2 * k] = (-2 * x!) / total;
        G[2 * k + 1] = (-2 * y!) / total;
      }
    },
  };
}

export const indices: Readonly<Record<string, Index>> = {
  holes: {
    title: "Holes",
    help: "Few points in the middle: rings and groups.",
    needsClasses: false,
    sphered: true,
    make: (rows) => massAtCentre(rows, -1),
  },
  mass: {
    title: "Central mass",
    help: "Many points in the middle and some far away: outliers.",
    needsClasses: false,
    sphered: true,
    make: (rows) => massAtCentre(rows, 1),
  },
  classes: {
    title: "Classes apart",
    help: "Little scatter within the classes, beside that of all points: linear discriminants.",
    needsClasses: true,
    sphered: false,
    make: wilks,
  },
  variance: {
    title: "Variance",
    help: "The most of the variance: principal components.",
    needsClasses: false,
    sphered: false,
    make: (rows) => variance(rows),
  },
};
