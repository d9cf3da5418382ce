/** The covariance C = ÂᵀÂ/(m − 1) of centred samples as an operator, held once, in the shape that makes products cheap. */
import { smallOf, tallOf } from "../engines/own-matrix.js";
import type { Engine, Matrix, QuadraticForm, Small, Tall } from "../types.js";
import { plainOf } from "./application.js";
import { type RowBlocks, rowBlocks } from "./row-blocks.js";
import { leading, throughRows } from "./top-subspace.js";

/** Up to this many rows or columns, whichever are fewer, LAPACK's eigenvectors take less time than iterations. */
const LARGEST_DENSE = 1000;

export interface Sample {
  /** −½⟨X, CX⟩ */
  readonly form: QuadraticForm;
  /** S ← XᵀCX */
  variances(S: Small, X: Tall): void;
  /** the trace of C */
  readonly totalVariance: number;
  /** Â·X */
  scores(X: Matrix): Matrix;
  /** The p leading eigenvectors of C, and how they were found: where LAPACK does it in short time */
  top(p: number): { X: Matrix; formula: string } | undefined;
}

/** Samples as they are used: (A − 1·centreᵀ)·Diag(1/scale), one a row. */
export interface Centred {
  readonly A: Matrix;
  /** the means of the columns, or zeros */
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

/** Through C itself, n×n, where that makes products cheap; else through the rows. */
export const sampleOf = (E: Engine, given: Centred): Sample =>
  given.A.cols <= 2 * given.A.rows ? byCovariance(E, given) : byRows(E, given);

/** Of means at most this many standard deviations away from 0, the square takes two of the digits, and no more. */
const FAR = 10;

function byCovariance(E: Engine, given: Centred): Sample {
  const { rows: m, cols: n } = given.A;
  const weight = 1 / (m - 1);
  const { C, image } = crossProducts(E, given);
  const numbers = E.read(C);
  let totalVariance = 0;
  for (let j = 0; j < n; j++) totalVariance += weight * numbers[j * (n + 1)]!;
  for (let k = 0; k < numbers.length; k++) numbers[k]! *= -weight;
  const matrix = { rows: n, cols: n, data: numbers };
  const { apply, flops } = E.operator(matrix);
  return {
    form: { apply: (Y, X) => apply(Y, X), matrix, flops },
    totalVariance,
    variances(S, X) {
      const CX = E.tall(n, X.cols);
      apply(CX, X, -1);
      E.tmul(S, X, CX);
      E.symmetrize(S);
    },
    scores: image,
    top(p) {
      if (n > LARGEST_DENSE) return undefined;
      return { X: leading(E, C, p).basis, formula: `eigenvectors of the covariance, ${n}×${n}` };
    },
  };
}

/** What takes all rows: C = ÂᵀÂ, and X ↦ ÂX */
interface CrossProducts {
  readonly C: Small;
  image(X: Matrix): Matrix;
}

/**
 * With D = Diag(1/scale) is Â = (A − 1·centreᵀ)D, so that ÂᵀÂ = D(AᵀA − m·centre·centreᵀ)D and ÂX = A(DX) − 1·centreᵀ(DX) for means
 * and for zeros: no number of A is touched. Where a mean is far from 0 that difference would lose digits, and rows are centred first.
 */
function crossProducts(E: Engine, { A, centre, scale }: Centred): CrossProducts {
  const { rows: m, cols: n } = A;
  const inverse = scale.map((s) => 1 / s);
  const blocks = rowBlocks(E, [A]);
  const C = E.small(n, n);
  blocks(([rows]) => E.gram(C, rows!, 1));
  const numbers = E.read(C);
  const far = centre.some((c, j) => m * c * c > FAR ** 2 * (numbers[j * (n + 1)]! - m * c * c));
  if (far) return centredFirst(E, { A, centre, scale }, C);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j;
      numbers[at] = (numbers[at]! - m * centre[i]! * centre[j]!) * inverse[i]! * inverse[j]!;
    }
  }
  E.write(C, numbers);
  return {
    C,
    image(X) {
      const basis = plainMap(X, (v, i) => v * inverse[i]!);
      const offset = new Float64Array(X.cols);
      plainMap(basis, (v, i, j) => (offset[j]! += centre[i]! * v));
      return through(E, blocks, m, basis, offset);
    },
  };
}

/** The same from rows that are centred and scaled one by one */
function centredFirst(E: Engine, { A, centre, scale }: Centred, C: Small): CrossProducts {
  const n = A.cols;
  const inverse = scale.map((s) => 1 / s);
  const blocks = rowBlocks(E, [A], (numbers) => {
    for (let k = 0; k < numbers.length; ) {
      for (let j = 0; j < n; j++, k++) numbers[k] = (numbers[k]! - centre[j]!) * inverse[j]!;
    }
  });
  E.fill(C, 0);
  blocks(([rows]) => E.gram(C, rows!, 1));
  return { C, image: (X) => through(E, blocks, A.rows, X, new Float64Array(X.cols)) };
}

/** rows·X − 1·offsetᵀ, m×(columns of X) */
function through(E: Engine, blocks: RowBlocks, m: number, X: Matrix, offset: Float64Array): Matrix {
  const basis = smallOf(E, X);
  const p = X.cols;
  const out = new Float64Array(m * p);
  let product: Tall | undefined;
  blocks(([rows], from, count) => {
    product ??= E.tall(rows!.rows, p);
    E.mul(product, rows!, basis);
    out.set(E.read(product).subarray(0, count * p), from * p);
  });
  for (let k = 0; k < out.length; ) for (let j = 0; j < p; j++, k++) out[k]! -= offset[j]!;
  return { rows: m, cols: p, data: out };
}

const plainMap = ({ rows, cols, data }: Matrix, value: (v: number, i: number, j: number) => number): Matrix => ({
  rows,
  cols,
  data: data.map((v, k) => value(v, Math.floor(k / cols), k % cols)),
});

/** Through T = Âᵀ, n×m with fewer columns than rows: C·X = T(TᵀX)/(m − 1). */
function byRows(E: Engine, { A, centre, scale }: Centred): Sample {
  const { rows: m, cols: n } = A;
  const weight = 1 / (m - 1);
  const T = E.tall(n, m, transposed(A, centre, scale));
  const images = new Map<number, Small>();
  /** TᵀX, m×(columns of X), in scratch */
  const image = (X: Tall): Small => {
    let AX = images.get(X.cols);
    if (!AX) images.set(X.cols, (AX = E.small(m, X.cols)));
    E.tmul(AX, T, X);
    return AX;
  };
  return {
    form: { apply: (Y, X) => E.mul(Y, T, image(X), -weight), flops: 4 * m * n },
    totalVariance: weight * E.dot(T, T),
    variances(S, X) {
      const AX = image(X);
      E.tmul(S, AX, E.small(m, X.cols, E.read(AX)), weight);
      E.symmetrize(S);
    },
    scores: (X) => plainOf(E, image(tallOf(E, X))),
    top(p) {
      if (m > LARGEST_DENSE || p > m) return undefined;
      return { X: throughRows(E, T, p), formula: `Âᵀ times eigenvectors of ÂÂᵀ, ${m}×${m}` };
    },
  };
}

/** Âᵀ, in tiles: both matrices are read and written in lines of the cache. */
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

const TILE = 32;
