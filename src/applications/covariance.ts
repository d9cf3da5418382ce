/** The covariance C = ÂᵀÂ/(m − 1) of centred samples as an operator, held once, in the shape that makes products cheap. */
import { smallOf, tallOf } from "../engines/own-matrix.js";
import { plainTranspose } from "../problems/instances.js";
import type { Engine, Matrix, QuadraticForm, Small, Tall } from "../types.js";
import { plainOf } from "./application.js";
import { leading, throughRows } from "./top-subspace.js";

/** Up to this many rows or columns, whichever are fewer, LAPACK's eigenvectors take less time than iterations. */
const LARGEST_DENSE = 1000;

export interface Sample {
  /** −½⟨X, CX⟩ */
  readonly form: QuadraticForm;
  /** S ← XᵀCX */
  variances(S: Small, X: Tall): void;
  /** Â·X */
  scores(X: Matrix): Matrix;
  /** The p leading eigenvectors of C, and how they were found: where LAPACK does it in short time */
  top(p: number): { X: Matrix; formula: string } | undefined;
}

/** Through C itself, n×n. */
export function byCovariance(E: Engine, data: Matrix, weight: number): Sample {
  const { rows: m, cols: n } = data;
  const [A, C] = [tallOf(E, data), E.small(n, n)];
  E.gram(C, A);
  const numbers = E.read(C);
  for (let k = 0; k < numbers.length; k++) numbers[k]! *= -weight;
  const matrix = { rows: n, cols: n, data: numbers };
  const { apply, flops } = E.operator(matrix);
  return {
    form: { apply: (Y, X) => apply(Y, X), matrix, flops },
    variances(S, X) {
      const CX = E.tall(n, X.cols);
      apply(CX, X, -1);
      E.tmul(S, X, CX);
      E.symmetrize(S);
    },
    scores(X) {
      const AX = E.tall(m, X.cols);
      E.mul(AX, A, smallOf(E, X));
      return plainOf(E, AX);
    },
    top(p) {
      if (n > LARGEST_DENSE) return undefined;
      return { X: leading(E, C, p).basis, formula: `eigenvectors of the covariance, ${n}×${n}` };
    },
  };
}

/** Through T = Âᵀ, n×m with fewer columns than rows: C·X = T(TᵀX)/(m − 1). */
export function byRows(E: Engine, data: Matrix, weight: number): Sample {
  const { rows: m, cols: n } = data;
  const T = tallOf(E, plainTranspose(data));
  const images = new Map<number, Small>();
  /** TᵀX, m×(columns of X), in scratch */
  const image = (X: Matrix): Small => {
    let AX = images.get(X.cols);
    if (!AX) images.set(X.cols, (AX = E.small(m, X.cols)));
    E.tmul(AX, T, X);
    return AX;
  };
  return {
    form: { apply: (Y, X) => E.mul(Y, T, image(X), -weight), flops: 4 * m * n },
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
