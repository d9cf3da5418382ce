/** The covariance C = ÂᵀÂ/(m − 1) of centred samples as an operator, held once, in the shape that makes products cheap. */
import { smallOf, tallOf } from "../engines/own-matrix.js";
import type { Engine, Matrix, QuadraticForm, Small, Tall } from "../types.js";
import { plainOf } from "./application.js";
import { rowBlocks } from "./row-blocks.js";
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
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

/** Through C itself, n×n, where that makes products cheap; else through the rows. */
export const sampleOf = (E: Engine, given: Centred): Sample =>
  given.A.cols <= 2 * given.A.rows ? byCovariance(E, given) : byRows(E, given);

function byCovariance(E: Engine, { A, centre, scale }: Centred): Sample {
  const { rows: m, cols: n } = A;
  const weight = 1 / (m - 1);
  const inverse = scale.map((s) => 1 / s);
  const blocks = rowBlocks(E, [A], (numbers) => {
    for (let k = 0; k < numbers.length; ) {
      for (let j = 0; j < n; j++, k++) numbers[k] = (numbers[k]! - centre[j]!) * inverse[j]!;
    }
  });
  const C = E.small(n, n);
  blocks(([rows]) => E.gram(C, rows!, 1));
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
    scores(X) {
      const basis = smallOf(E, X);
      const scores = new Float64Array(m * X.cols);
      blocks(([rows], from) => {
        const product = E.tall(rows!.rows, X.cols);
        E.mul(product, rows!, basis);
        E.read(product, scores.subarray(from * X.cols, (from + rows!.rows) * X.cols));
      });
      return { rows: m, cols: X.cols, data: scores };
    },
    top(p) {
      if (n > LARGEST_DENSE) return undefined;
      return { X: leading(E, C, p).basis, formula: `eigenvectors of the covariance, ${n}×${n}` };
    },
  };
}

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
