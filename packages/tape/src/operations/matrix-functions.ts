/**
 * Functions of symmetric matrices, f(A) = V·Diag(f(w))·Vᵀ for A = V·Diag(w)·Vᵀ, with derivatives by divided differences of f (Daleckiĭ and
 * Kreĭn; Higham, Functions of Matrices, 3.2):
 *
 *     VᵀDf(A)[D]V = (f[wᵢ, wⱼ]·dᵢⱼ),   VᵀD²f(A)[D, C]V = (Σₖ f[wᵢ, wₖ, wⱼ]·(dᵢₖcₖⱼ + cᵢₖdₖⱼ)),   d = VᵀDV, c = VᵀCV.
 *
 * Both are symmetric in all directions, so that each is its own adjoint.
 */
import type { Matrix } from "@expen/linalg";
import { qlSolver, unitScale } from "@expen/linalg/arrays";
import { type Expr, TapeError } from "../graph.js";
import type { Arg } from "../leaves.js";
import { operation } from "./own.js";

interface Scalar {
  readonly name: string;
  f(x: number): number;
  /** f[a, b] without cancellation */
  divided(a: number, b: number): number;
  /** f''(x)/2 = f[x, x, x] */
  curvature(x: number): number;
  /** the length over which f changes */
  unit(x: number): number;
}

/** Differences of entries of A and Aᵀ, against the largest entry, that are roundoff of a product */
const ASYMMETRY = 1e-8;
/** Eigenvalues nearer than this part of the unit count as one in f[a, b, c]: roundoff and truncation leave some 1e-9 */
const CLOSE = 1e-4;

const matrixFunction = /* @__NO_SIDE_EFFECTS__ */ (scalar: Scalar): ((A: Arg) => Expr) => {
  const { name, f, divided } = scalar;
  const second: (A: Arg, D: Arg, C: Arg) => Expr = operation({
    name: `second derivative of ${name}`,
    value: (A, D, C) =>
      inEigenbasis(name, A, [D, C], (w, [d, c]) => (i, j) => {
        let sum = 0;
        for (let k = 0; k < w.length; k++)
          sum += twiceDivided(scalar, w[i]!, w[k]!, w[j]!) * (d!(i, k) * c!(k, j) + c!(i, k) * d!(k, j));
        return sum;
      }),
    // it is linear in D and C; nothing takes third derivatives
    adjoint: (W, _Y, A, D, C) => [undefined, second(A, W, C), second(A, D, W)],
  });
  const first: (A: Arg, D: Arg) => Expr = operation({
    name: `derivative of ${name}`,
    value: (A, D) =>
      inEigenbasis(
        name,
        A,
        [D],
        (w, [d]) =>
          (i, j) =>
            divided(w[i]!, w[j]!) * d!(i, j),
      ),
    adjoint: (W, _Y, A, D) => [second(A, D, W), first(A, W)],
  });
  return operation({
    name,
    value: (A) => inEigenbasis(name, A, [], (w) => (i, j) => (i === j ? f(w[i]!) : 0)),
    adjoint: (W, _Y, A) => first(A, W),
  });
};

function twiceDivided({ divided, curvature, unit }: Scalar, ...points: [number, number, number]): number {
  const [a, b, c] = points.sort((x, y) => x - y);
  if (c - a <= CLOSE * unit(a)) return curvature((a + b + c) / 3);
  return (divided(b, c) - divided(a, b)) / (c - a);
}

type Entry = (i: number, j: number) => number;

/** V·M·Vᵀ for the M with the entries that `of` gives from the eigenvalues of A and from VᵀDV for each D; of D its symmetric part counts */
function inEigenbasis(
  name: string,
  A: Matrix,
  directions: readonly Matrix[],
  of: (w: Float64Array, directions: readonly Entry[]) => Entry,
): Matrix {
  const n = A.rows;
  const [V, w] = [new Float64Array(n * n), new Float64Array(n)];
  const largest = requireSymmetric(name, A);
  const scale = unitScale(largest);
  qlSolver(n)(V, w, A.data, scale);
  for (let i = 0; i < n; i++) w[i]! /= scale;
  const vectors: Entry = (i, j) => V[i * n + j]!;
  const turned: Entry = (i, j) => V[j * n + i]!;
  const symmetricPart =
    (D: Matrix): Entry =>
    (i, j) =>
      (D.data[i * n + j]! + D.data[j * n + i]!) / 2;
  const between = (left: Entry, M: Entry, right: Entry): Entry => product(n, product(n, left, M), right);
  const M = of(
    w,
    directions.map((D) => between(turned, symmetricPart(D), vectors)),
  );
  const result = between(vectors, M, turned);
  const data = Float64Array.from({ length: n * n }, (_, k) => result(Math.floor(k / n), k % n));
  return { rows: n, cols: n, data };
}

function product(n: number, A: Entry, B: Entry): Entry {
  const C = new Float64Array(n * n);
  const row = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) row[k] = A(i, k);
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += row[k]! * B(k, j);
      C[i * n + j] = sum;
    }
  }
  return (i, j) => C[i * n + j]!;
}

/** The largest entry of a symmetric A */
function requireSymmetric(name: string, { rows: n, cols, data }: Matrix): number {
  if (n !== cols) throw new TapeError(`${name}: the argument is ${n}×${cols}; it must be a symmetric matrix.`);
  const largest = data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const [below, above] = [data[i * n + j]!, data[j * n + i]!];
      if (!(Math.abs(below - above) > ASYMMETRY * largest)) continue;
      const entries = `entry (${i}, ${j}) is ${below} and entry (${j}, ${i}) is ${above}`;
      throw new TapeError(`${name}: the argument is not symmetric: ${entries}; it is for symmetric matrices alone.`);
    }
  }
  return largest;
}

/** The exponential of a symmetric matrix */
export const expm: (A: Arg) => Expr = matrixFunction({
  name: "expm",
  f: Math.exp,
  // from the larger one, since the exponential of the difference may overflow
  divided: (a, b) =>
    a === b ? Math.exp(a) : (-Math.exp(Math.max(a, b)) * Math.expm1(-Math.abs(a - b))) / Math.abs(a - b),
  curvature: (x) => Math.exp(x) / 2,
  unit: () => 1,
});
/** The logarithm of a symmetric positive definite matrix; NaN of any other one */
export const logm: (A: Arg) => Expr = matrixFunction({
  name: "logm",
  f: Math.log,
  divided: (a, b) => (a === b ? 1 / a : Math.log1p((a - b) / b) / (a - b)),
  curvature: (x) => -1 / (2 * x * x),
  unit: (x) => x,
});
/** The square root of a symmetric positive definite matrix; NaN of any other one */
export const sqrtm: (A: Arg) => Expr = matrixFunction({
  name: "sqrtm",
  f: Math.sqrt,
  divided: (a, b) => 1 / (Math.sqrt(a) + Math.sqrt(b)),
  curvature: (x) => -1 / (8 * x ** 1.5),
  unit: (x) => x,
});
