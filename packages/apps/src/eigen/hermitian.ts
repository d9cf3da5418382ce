/**
 * Hermitian matrices R + iC as the real symmetric [R −C; C R], which has their eigenvalues, each twice (Golub and Van Loan, 8.1): with the
 * eigenvector (u; v) of u + iv it has (−v; u), that of i(u + iv).
 */
import type { ComplexMatrix } from "@expen/core";
import type { HostMatrix, Matrix, Sparse } from "@expen/linalg";
import { hostMatrix, ProblemError } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { tallOf } from "@expen/linalg/engine";
import { plainOf } from "../application.js";
import type { Counter } from "./completeness.js";
import type { Pencil } from "./pencil.js";
import { fullSparse, type MatrixInput, readMatrix, readSymmetric } from "./read-matrix.js";
import type { RitzPairs } from "./ritz.js";

/** A Hermitian matrix by its real and its imaginary part */
export interface HermitianInput {
  readonly re: MatrixInput;
  readonly im: MatrixInput;
}

export const isHermitian = (A: unknown): A is HermitianInput =>
  typeof A === "object" && A !== null && ("re" in A || "im" in A);

/** [R −C; C R] of a Hermitian R + iC; a real matrix counts as one with C = 0 */
export function realForm(name: string, letter: string, A: HermitianInput | MatrixInput): Matrix | Sparse {
  const [re, im] = isHermitian(A) ? [A.re, A.im] : [A, undefined];
  if (isHermitian(A) && (!re || !im))
    throw new ProblemError(`${name}: ${letter} has no ${re ? "im" : "re"}; a Hermitian matrix is { re, im }.`);
  const R = readMatrix(name, im ? `the real part of ${letter}` : letter, re);
  const C = im && readMatrix(name, `the imaginary part of ${letter}`, im);
  if (C && (C.rows !== R.rows || C.cols !== R.cols)) {
    throw new ProblemError(
      `${name}: the real part of ${letter} is ${R.rows}×${R.cols} and the imaginary part ${C.rows}×${C.cols}; they must be of one shape.`,
    );
  }
  const block = isSparse(R) || !C || isSparse(C) ? sparseBlocks(R, C) : denseBlocks(R, C);
  try {
    return readSymmetric(name, letter, block);
  } catch (error) {
    if (R.rows !== R.cols || !(error instanceof ProblemError)) throw error;
    throw new ProblemError(
      `${name}: ${letter} is not Hermitian; its real part must be symmetric, and its imaginary part the negative of its transpose.`,
      { cause: error },
    );
  }
}

function denseBlocks(R: Matrix, C: Matrix): Matrix {
  const { rows: m, cols: n } = R;
  const data = new Float64Array(4 * m * n);
  for (let i = 0, k = 0; i < m; i++) {
    for (let j = 0; j < n; j++, k++) {
      data[2 * n * i + j] = R.data[k]!;
      data[2 * n * i + n + j] = -C.data[k]!;
      data[2 * n * (m + i) + j] = C.data[k]!;
      data[2 * n * (m + i) + n + j] = R.data[k]!;
    }
  }
  return { rows: 2 * m, cols: 2 * n, data };
}

function sparseBlocks(R: Matrix | Sparse, C: Matrix | Sparse | undefined): Sparse {
  const { rows: m, cols: n } = R;
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const add = (M: Matrix | Sparse, row: number, col: number, sign: number): void => {
    const S = isSparse(M) ? M : fullSparse(M);
    for (let r = 0; r < m; r++) {
      for (let k = S.pointers[r]!; k < S.pointers[r + 1]!; k++) {
        i.push(row + r);
        j.push(col + S.indices[k]!);
        values.push(sign * S.values[k]!);
      }
    }
  };
  add(R, 0, 0, 1);
  add(R, m, n, 1);
  if (C) {
    add(C, 0, n, -1);
    add(C, m, 0, 1);
  }
  return sparseFromTriplets(2 * m, 2 * n, i, j, values);
}

/** The real form of i·(u + iv), by columns */
function timesI({ rows, cols, data }: Matrix): Matrix {
  const half = data.length / 2;
  return { rows, cols, data: data.map((_, k) => (k < half ? -data[k + half]! : data[k - half]!)) };
}

/** Length from which the rest of a unit vector counts as a direction of its own; that of a multiple by i is roundoff. */
const OWN = 0.5;

/**
 * Coefficients of the vectors whose complex multiples span all: K is X*J·X for the orthonormal columns of X and J = multiplication by i, in
 * the inner product of the pencil. The longest rest comes next, of which it and its multiple by i are taken from all others.
 */
function complexBasis(K: Float64Array, q: number): Float64Array[] {
  const rests = Array.from({ length: q }, (_, j) => Float64Array.from({ length: q }, (_, i) => (i === j ? 1 : 0)));
  const basis: Float64Array[] = [];
  for (;;) {
    const lengths = rests.map((r) => Math.sqrt(dot(r, r)));
    const longest = Math.max(...lengths, 0);
    if (longest < OWN) return basis;
    const place = lengths.findIndex((length) => length > longest * (1 - 1e-6));
    const c = rests[place]!.map((v) => v / lengths[place]!);
    basis.push(c);
    rests.splice(place, 1);
    const d = Float64Array.from({ length: q }, (_, i) => dot(K.subarray(i * q, (i + 1) * q), c));
    const square = dot(d, d);
    for (const r of rests) {
      subtract(r, c, 1);
      if (square > 0) subtract(r, d, square);
    }
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function subtract(r: Float64Array, c: Float64Array, square: number): void {
  const factor = dot(r, c) / square;
  for (let i = 0; i < r.length; i++) r[i]! -= factor * c[i]!;
}

/** One pair of each two of the real form */
export function complexPairs({ E, n, A, B }: Pencil, { X: real }: RitzPairs): RitzPairs {
  const q = real.cols;
  const X = tallOf(E, real);
  const [K, JX, BJX] = [E.small(q, q), tallOf(E, timesI(real)), E.tall(n, q)];
  if (B) B.apply(BJX, JX);
  E.tmul(K, X, B ? BJX : JX);
  const basis = complexBasis(E.read(K), q);
  const p = basis.length;
  const Z = E.tall(n, p);
  E.mul(
    Z,
    X,
    E.small(
      q,
      p,
      Float64Array.from({ length: q * p }, (_, k) => basis[k % p]![Math.floor(k / p)]!),
    ),
  );
  const [AZ, BZ] = [E.tall(n, p), B ? E.tall(n, p) : Z];
  A.apply(AZ, Z);
  B?.apply(BZ, Z);
  const inner = (Y: typeof Z, W: typeof Z): Float64Array => {
    const M = E.small(p, p);
    E.tmul(M, Y, W);
    return E.read(M);
  };
  const [re, im, form] = [inner(Z, BZ), inner(tallOf(E, timesI(plainOf(E, Z))), BZ), inner(Z, AZ)];
  const theta = Float64Array.from({ length: p }, (_, j) => form[j * (p + 1)]! / re[j * (p + 1)]!);
  const Θ = E.small(
    p,
    p,
    Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? theta[k % p]! : 0)),
  );
  E.mul(AZ, BZ, Θ, -1, 1);
  const squares = inner(AZ, AZ);
  let defect = 0;
  for (let k = 0; k < p * p; k++) defect += (re[k]! - (k % (p + 1) === 0 ? 1 : 0)) ** 2 + im[k]! ** 2;
  const order = Array.from(theta, (_, j) => j).sort((a, b) => theta[a]! - theta[b]!);
  const residual = order.map((j) => Math.sqrt(Math.max(0, squares[j * (p + 1)]! / re[j * (p + 1)]!)));
  const { data } = plainOf(E, Z);
  return {
    theta: Float64Array.from(order, (j) => theta[j]!),
    X: { rows: n, cols: p, data: data.map((_, k) => data[k - (k % p) + order[k % p]!]!) },
    residual: Float64Array.from(residual),
    defect: Math.sqrt(defect),
  };
}

/** The eigenvalues of the Hermitian matrix, by those of its real form */
export const halved = (counter: Counter | string): Counter | string =>
  typeof counter === "string"
    ? counter
    : {
        total: counter.total / 2,
        how: counter.how,
        below(x) {
          const counted = counter.below(x);
          // an odd number is wrong
          return counted && counted.count % 2 === 0 ? { ...counted, count: counted.count / 2 } : undefined;
        },
      };

/** The vectors u + iv of chosen pairs; the entry of largest modulus of each is real and positive. */
export function complexVectors({ X }: RitzPairs, order: readonly number[]): ComplexMatrix<HostMatrix> {
  const [n, p] = [X.rows / 2, order.length];
  const [re, im] = [new Float64Array(n * p), new Float64Array(n * p)];
  for (const [j, place] of order.entries()) {
    const entry = (i: number): [number, number] => [X.data[i * X.cols + place]!, X.data[(n + i) * X.cols + place]!];
    let [c, s, modulus] = [1, 0, 0];
    for (let i = 0; i < n; i++) {
      const [u, v] = entry(i);
      const size = Math.hypot(u, v);
      if (size > modulus) [c, s, modulus] = [u / size, v / size, size];
    }
    for (let i = 0; i < n; i++) {
      const [u, v] = entry(i);
      re[i * p + j] = u * c + v * s;
      im[i * p + j] = v * c - u * s;
    }
  }
  return { re: hostMatrix({ rows: n, cols: p, data: re }), im: hostMatrix({ rows: n, cols: p, data: im }) };
}
