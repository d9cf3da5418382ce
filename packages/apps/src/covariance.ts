/** The covariance C = ÂᵀÂ/(m − 1) of centred samples as an operator, held once, in the shape that makes products cheap. */

import type { ClosedForm, QuadraticForm, Spectrum } from "@expen/core";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { checkData } from "@expen/linalg";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { plainOf } from "./application.js";
import { columnMeans, deviations, overflow } from "./columns.js";
import { type RowBlocks, rowBlocks } from "./row-blocks.js";
import { leading, throughRows } from "./top-subspace.js";

/** Largest min(m, n) for which a dense eigensolver of LAPACK is faster than iterations */
const LARGEST_DENSE = 1000;

/** Treatment of the columns of A, one sample a row; `application` begins error messages */
interface Treatment {
  readonly application: string;
  /** subtract the means */
  readonly centre: boolean;
  /** divide by the standard deviations */
  readonly standardise: boolean;
  /** C = weight·ÂᵀÂ; default 1/(m − 1), for which C is the covariance */
  readonly weight?: number;
  /** whether products use C, n×n, or Â; default: the cheaper */
  readonly through?: "covariance" | "rows";
}

/** Â = (A − 1·centreᵀ)·Diag(1/scale) */
interface Centred {
  /** the means of the columns, or zeros */
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

export interface Sample extends Centred {
  /** −½⟨X, CX⟩ */
  readonly form: QuadraticForm;
  /** S ← XᵀCX */
  variances(S: Small, X: Tall): void;
  /** the trace of C */
  readonly totalVariance: number;
  /** Â·X */
  scores(X: Matrix): Matrix;
  /** The p leading eigenvectors of C, if min(m, n) ≤ `largest`, by default a size that LAPACK solves quickly */
  top(p: number, largest?: number): (ClosedForm & { readonly spectrum: Spectrum }) | undefined;
}

/** NaN and infinity in A are an error. A product with C takes 2n² operations a column, one through the rows 4mn. */
export function sampleOf(E: Engine, A: Matrix, how: Treatment): Sample {
  const { through = A.cols <= 2 * A.rows ? "covariance" : "rows" } = how;
  return through === "covariance" ? byCovariance(E, A, how) : byRows(E, A, how);
}

function byCovariance(E: Engine, A: Matrix, how: Treatment): Sample {
  const n = A.cols;
  const { weight = 1 / (A.rows - 1) } = how;
  const { squares, centre, scale, image } = crossProducts(E, A, how);
  const numbers = squares.map((v) => -weight * v);
  let totalVariance = 0;
  for (let j = 0; j < n; j++) totalVariance -= numbers[j * (n + 1)]!;
  const matrix = { rows: n, cols: n, data: numbers };
  const { apply, flops } = E.operator(matrix);
  return {
    centre,
    scale,
    form: { apply: (Y, X) => apply(Y, X), matrix, flops },
    totalVariance,
    variances(S, X) {
      const CX = E.tall(n, X.cols);
      apply(CX, X, -1);
      E.tmul(S, X, CX);
      E.symmetrize(S);
    },
    scores: image,
    top(p, largest = LARGEST_DENSE) {
      if (n > largest) return undefined;
      const { values, basis } = leading(E, matrix, p);
      return { X: tallOf(E, basis), formula: `eigenvectors of ÂᵀÂ, ${n}×${n}`, spectrum: { values } };
    },
  };
}

/** The operations that read all rows: ÂᵀÂ, and X ↦ ÂX */
interface CrossProducts extends Centred {
  readonly squares: Float64Array;
  image(X: Matrix): Matrix;
}

/** Largest |mean| in standard deviations for which the difference of squares below loses at most two digits */
const FAR = 10;

/**
 * With D = Diag(1/scale), ÂᵀÂ = D(AᵀA − m·centre·centreᵀ)D and ÂX = A(DX) − 1·centreᵀ(DX), centre the means or 0: A is not modified,
 * and one pass yields means and deviations too. If a mean is far from 0 that difference would lose digits, and rows are centred first.
 */
function crossProducts(E: Engine, A: Matrix, { application, centre: centred, standardise }: Treatment): CrossProducts {
  const { rows: m, cols: n } = A;
  const blocks = rowBlocks(E, [A]);
  const { squares, centre } = moments(E, blocks, n, centred);
  const square = (j: number): number => squares[j * (n + 1)]!;
  // a square is infinite where an entry is, or where it overflows
  if (centre.some((_, j) => !Number.isFinite(square(j)))) {
    checkData(application, "A", A, m, n);
    throw overflow(application, "A");
  }
  for (let j = 0; j < n; j++) centre[j] = centred ? centre[j]! / m : 0;
  const around = (j: number): number => square(j) - m * centre[j]! * centre[j]!;
  if (centre.some((c, j) => m * c * c > FAR ** 2 * around(j))) return centredFirst(E, A, centre, standardise);
  const scale = centre.map((_, j) => (standardise && Math.sqrt(around(j) / Math.max(1, m - 1))) || 1);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j < n; j++, at++) {
      squares[at] = (squares[at]! - m * centre[i]! * centre[j]!) / (scale[i]! * scale[j]!);
    }
  }
  return {
    squares,
    centre,
    scale,
    image(X) {
      const basis = plainMap(X, (v, i) => v / scale[i]!);
      const offset = new Float64Array(X.cols);
      plainMap(basis, (v, i, j) => (offset[j]! += centre[i]! * v));
      return through(E, blocks, m, basis, offset);
    },
  };
}

/** AᵀA and, if means are needed, Aᵀ1, otherwise zeros */
function moments(
  E: Engine,
  blocks: RowBlocks,
  n: number,
  withSums: boolean,
): { squares: Float64Array; centre: Float64Array } {
  const [C, sums] = [E.small(n, n), E.small(1, n)];
  let ones: Tall | undefined;
  blocks(([rows]) => {
    E.gram(C, rows!, 1);
    if (!withSums) return;
    if (ones?.rows !== rows!.rows) E.fill((ones = E.tall(rows!.rows, 1)), 1);
    E.tmul(sums, ones, rows!, 1, 1);
  });
  return { squares: E.read(C), centre: E.read(sums) };
}

/** The same, from rows that are centred and scaled first */
function centredFirst(E: Engine, A: Matrix, centre: Float64Array, standardise: boolean): CrossProducts {
  const n = A.cols;
  const scale = standardise ? deviations(A, centre) : new Float64Array(n).fill(1);
  const blocks = rowBlocks(E, [A], (numbers) => {
    for (let k = 0; k < numbers.length; ) {
      for (let j = 0; j < n; j++, k++) numbers[k] = (numbers[k]! - centre[j]!) / scale[j]!;
    }
  });
  const { squares } = moments(E, blocks, n, false);
  return { squares, centre, scale, image: (X) => through(E, blocks, A.rows, X, new Float64Array(X.cols)) };
}

/** rows·X − 1·offsetᵀ, m×(columns of X) */
function through(E: Engine, blocks: RowBlocks, m: number, X: Matrix, offset: Float64Array): Matrix {
  const basis = smallOf(E, X);
  const p = X.cols;
  const out = new Float64Array(m * p);
  let product: Tall | undefined;
  blocks(([rows], from, count) => {
    const data = out.subarray(from * p, (from + count) * p);
    if (E.host && rows!.rows === count) E.mul(E.host.lend({ rows: count, cols: p, data }), rows!, basis);
    else {
      if (product?.rows !== rows!.rows) product = E.tall(rows!.rows, p);
      E.mul(product, rows!, basis);
      data.set(E.read(product).subarray(0, count * p));
    }
    for (let k = 0; k < data.length; ) for (let j = 0; j < p; j++, k++) data[k]! -= offset[j]!;
  });
  return { rows: m, cols: p, data: out };
}

const plainMap = ({ rows, cols, data }: Matrix, value: (v: number, i: number, j: number) => number): Matrix => ({
  rows,
  cols,
  data: data.map((v, k) => value(v, Math.floor(k / cols), k % cols)),
});

/** Through T = Âᵀ, n×m with fewer columns than rows: C·X = T(TᵀX)/(m − 1). */
function byRows(E: Engine, A: Matrix, how: Treatment): Sample {
  const { rows: m, cols: n } = A;
  const { application, centre: centred, standardise, weight = 1 / (m - 1) } = how;
  checkData(application, "A", A, m, n);
  const centre = centred ? columnMeans(A) : new Float64Array(n);
  const scale = standardise ? deviations(A, centre) : new Float64Array(n).fill(1);
  const T = E.tall(n, m, transposed(A, centre, scale));
  const squares = E.dot(T, T);
  if (!(squares < Number.POSITIVE_INFINITY)) throw overflow(application, "A");
  const images = new Map<number, Small>();
  /** TᵀX, m×(columns of X), in scratch */
  const image = (X: Tall): Small => {
    let AX = images.get(X.cols);
    if (!AX) images.set(X.cols, (AX = E.small(m, X.cols)));
    E.tmul(AX, T, X);
    return AX;
  };
  return {
    centre,
    scale,
    form: {
      apply: (Y, X) => E.mul(Y, T, image(X), -weight),
      ...(m < n && { lowRank: { weight: -weight, cols: m, factor: () => T } }),
      flops: 4 * m * n,
    },
    totalVariance: weight * squares,
    variances(S, X) {
      const AX = image(X);
      E.tmul(S, AX, E.small(m, X.cols, E.read(AX)), weight);
      E.symmetrize(S);
    },
    scores: (X) => plainOf(E, image(tallOf(E, X))),
    top(p, largest = LARGEST_DENSE) {
      if (m > largest || p > m) return undefined;
      const { values, X } = throughRows(E, T, p);
      const spectrum = { values: values.map((w) => w * weight) };
      return { X, formula: `Âᵀ times eigenvectors of ÂÂᵀ, ${m}×${m}`, spectrum };
    },
  };
}

/** Âᵀ, in tiles, so that both matrices are accessed in whole cache lines */
function transposed({ rows: m, cols: n, data }: Matrix, centre: Float64Array, scale: Float64Array): Float64Array {
  const out = new Float64Array(n * m);
  for (let first = 0; first < n; first += TILE) {
    const end = Math.min(n, first + TILE);
    for (let i = 0; i < m; i++) {
      for (let j = first; j < end; j++) out[j * m + i] = (data[i * n + j]! - centre[j]!) / scale[j]!;
    }
  }
  return out;
}

/** columns of a tile: 8 rows of it are 2 kB */
const TILE = 32;
