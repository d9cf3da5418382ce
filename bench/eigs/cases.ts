/** Eigenvalues and singular values that users ask for, with the wanted values by a formula or by a dense factorization. */
import { gaussian, type Matrix, random, type Sparse, unitSymmetric } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";

export interface EigsCase {
  readonly name: string;
  /** of A·x = λx or A·x = λBx, or the largest singular values of A */
  readonly kind: "eigenvalues" | "singular values";
  readonly A: Matrix | Sparse;
  readonly B?: Sparse;
  readonly p: number;
  readonly which: "smallest" | "largest" | "nearest";
  readonly sigma?: number;
  /** by a formula, all of them, ascending */
  readonly exact?: Float64Array;
  /** lower bound of λmin(B), 1 where B = I */
  readonly metric: number;
}

/** Rows i, columns j and entries v of a symmetric matrix, to be filled by `put`; off the diagonal both entries */
function symmetric(n: number, fill: (put: (i: number, j: number, value: number) => void) => void): Sparse {
  const [rows, cols, values]: [number[], number[], number[]] = [[], [], []];
  fill((i, j, value) => {
    rows.push(i);
    cols.push(j);
    values.push(value);
    if (i === j) return;
    rows.push(j);
    cols.push(i);
    values.push(value);
  });
  return sparseFromTriplets(n, n, rows, cols, values);
}

const tridiagonal = (n: number, main: number, beside: number): Sparse =>
  symmetric(n, (put) => {
    for (let i = 0; i < n; i++) {
      put(i, i, main);
      if (i > 0) put(i, i - 1, beside);
    }
  });

/** 2 − 2cos(kπ/(n + 1)) */
const path = (n: number): Float64Array =>
  Float64Array.from({ length: n }, (_, k) => 4 * Math.sin(((k + 1) * Math.PI) / (2 * (n + 1))) ** 2);

/** −Δ by differences on a square of side×side points */
const square = (side: number): Sparse =>
  symmetric(side ** 2, (put) => {
    for (let k = 0; k < side ** 2; k++) {
      put(k, k, 4);
      if (k >= side) put(k, k - side, -1);
      if (k % side > 0) put(k, k - 1, -1);
    }
  });

const squareValues = (side: number): Float64Array => {
  const line = Array.from(path(side));
  return Float64Array.from(line.flatMap((a) => line.map((b) => a + b))).sort();
};

/** Distance in the unit square up to which two points of the graph are joined */
const REACH = 0.05;

/** D − W of n random points of the unit square, joined where they are near each other */
function nearPoints(n: number): Sparse {
  const { uniform } = random(1, "graph");
  const points = Array.from({ length: n }, () => [uniform(), uniform()] as const);
  return symmetric(n, (put) => {
    const degree = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        if (Math.hypot(points[i]![0] - points[j]![0], points[i]![1] - points[j]![1]) > REACH) continue;
        put(i, j, -1);
        degree[i]!++;
        degree[j]!++;
      }
    }
    for (let i = 0; i < n; i++) put(i, i, degree[i]!);
  });
}

/** Entries in a row of the random sparse matrix */
const IN_ROW = 10;

function sparseRandom(m: number, n: number): Sparse {
  const { normal, integer } = random(1, "sparse");
  const length = IN_ROW * m;
  const rows = Array.from({ length }, (_, k) => Math.floor(k / IN_ROW));
  const cols = Array.from({ length }, () => integer(n));
  const values = Array.from({ length }, normal);
  return sparseFromTriplets(m, n, rows, cols, values);
}

export function eigsCases(quick: boolean): EigsCase[] {
  const plain = { kind: "eigenvalues", which: "smallest", metric: 1, p: 6 } as const;
  const singular = { kind: "singular values", which: "largest", metric: 1, p: 5 } as const;
  const small = quick ? 100 : 200;
  const dense = quick ? 400 : 1500;
  const line = quick ? 1000 : 10_000;
  const side = quick ? 40 : 100;
  const rod = quick ? 600 : 5000;
  const step = 1 / (rod + 1);
  /** (6/h²)(1 − c)/(2 + c), c = cos kπh */
  const ofRod = Float64Array.from({ length: rod }, (_, k) => {
    const c = Math.cos((k + 1) * Math.PI * step);
    return ((6 / step ** 2) * (2 * Math.sin(((k + 1) * Math.PI * step) / 2) ** 2)) / (2 + c);
  });
  return [
    { ...plain, name: `all of a dense ${small}×${small}`, A: unitSymmetric(small, random(small)), p: small },
    { ...plain, name: `six smallest, dense ${dense}×${dense}`, A: unitSymmetric(dense, random(2)) },
    { ...plain, name: "six smallest, Laplacian of a 30×30 grid", A: square(30), exact: squareValues(30) },
    {
      ...plain,
      name: `six smallest, Laplacian of a ${side}×${side} grid`,
      A: square(side),
      exact: squareValues(side),
    },
    { ...plain, name: `six smallest, 1-D Laplacian, n = ${line}`, A: tridiagonal(line, 2, -1), exact: path(line) },
    { ...plain, name: "six smallest, Laplacian of a graph of 2000 points", A: nearPoints(2000) },
    {
      ...plain,
      name: `six nearest to 3.3, ${side}×${side} grid`,
      A: square(side),
      exact: squareValues(side),
      which: "nearest",
      sigma: 3.3,
    },
    {
      ...plain,
      name: `six smallest of A·x = λBx, elements of a rod, n = ${rod}`,
      A: tridiagonal(rod, 2 / step, -1 / step),
      B: tridiagonal(rod, (4 * step) / 6, step / 6),
      exact: ofRod,
      metric: step / 3,
    },
    {
      ...singular,
      name: `all singular values, ${2 * small}×${small}`,
      A: gaussian(2 * small, small, random(3)),
      p: small,
    },
    { ...singular, name: "five largest, dense 5000×200", A: gaussian(5000, 200, random(4)) },
    { ...singular, name: "five largest, sparse 20000×2000", A: sparseRandom(20_000, 2000) },
  ];
}
