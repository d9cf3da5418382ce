import type { QuadraticForm } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix } from "@expen/linalg";
import {
  checkData,
  checkDataShape,
  type MatrixLike,
  operatorOf,
  ProblemError,
  type Sparse,
  whole,
} from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import { svd } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import {
  type Application,
  type ApplicationOptions,
  image,
  optionsOf,
  peakSigns,
  plainOf,
  scaleColumns,
} from "./application.js";
import { sampleOf } from "./covariance.js";
import { columnsOption, type Description, describe, entries, row } from "./description.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { principal } from "./pca.js";

/** Options of `truncatedSvd`: the number of singular values, and the run */
export interface TruncatedSvdOptions extends ApplicationOptions {
  /** number of singular values */
  p: number;
}

/** The largest singular values of `truncatedSvd` with their vectors, a model that maps other rows */
export interface TruncatedSvdAnswer extends Application, Model {
  /** m×p and n×p, orthonormal: A ≈ U·Diag(values)·Vᵀ */
  U: HostMatrix;
  V: HostMatrix;
  /** the p largest singular values, decreasing */
  values: number[];
}

/**
 * The p largest singular values of a dense or sparse A with their vectors: V spans the minimum of −½‖AX‖² over orthonormal X, leading
 * eigenvectors of AᵀA, as for principal components; then AV = U·Diag(values)·Wᵀ. Squares do not resolve values below √ε of the largest.
 * Every second-order point is a global minimum.
 */
export async function truncatedSvd(
  source: MatrixLike,
  options: TruncatedSvdOptions = {} as TruncatedSvdOptions,
): Promise<TruncatedSvdAnswer> {
  const { p, ...o } = optionsOf("svd", options, { p: whole(1) });
  const A = operatorOf("svd", "A", source);
  const { rows: m, cols: n } = A;
  checkDataShape("svd", "A", A, m, n);
  requireRank("svd", p, { m, n });
  return withEngine(o.engine, async (E) => {
    const squares = isSparse(A)
      ? sparseSquares(E, A)
      : sampleOf(E, A, { application: "svd", centre: false, standardise: false, weight: 1 });
    const { run } = await principal(E, squares, n, p, o);
    const { U, s, V: W } = svd(E, tallOf(E, squares.scores(run.X)));
    const V = E.tall(n, p);
    E.mul(V, tallOf(E, run.X), W);
    const left = plainOf(E, U);
    const signs = peakSigns(left);
    return modelOf("svd", {
      names: isSparse(A) ? undefined : A.names,
      U: scaleColumns(left, signs),
      V: scaleColumns(plainOf(E, V), signs),
      values: Array.from(s),
      run,
    });
  });
}

/** −½⟨X, AᵀAX⟩ and X ↦ AX through a sparse A */
function sparseSquares(E: Engine, A: Sparse): { form: QuadraticForm; scores(X: Matrix): Matrix } {
  checkData("svd", "A", A, A.rows, A.cols);
  const operator = E.operator(A);
  let AX = E.tall(A.rows, 0);
  return {
    form: {
      apply(Y, X) {
        if (AX.cols !== X.cols) AX = E.tall(A.rows, X.cols);
        operator.apply(AX, X);
        operator.applyT(Y, AX, -1);
      },
      flops: 2 * operator.flops,
    },
    scores: (X) => plainOf(E, image(E, operator, X)),
  };
}

/** Throws unless 1 ≤ p ≤ each of the sizes */
export function requireRank(application: string, p: number, sizes: Record<string, number>): void {
  if (!Number.isInteger(p) || p < 1) {
    throw new ProblemError(`${application}: p is ${p}; it must be a whole number, 1 or more.`);
  }
  for (const [letter, size] of Object.entries(sizes)) {
    if (p > size) {
      throw new ProblemError(`${application}: p = ${p} is above ${letter} = ${size}; ask for ${size} or fewer.`);
    }
  }
}

export const description: Description = describe({
  name: "svd",
  summary: "largest singular values and their vectors",
  files: [{ name: "matrix", help: "dense or sparse", holds: "operator" }],
  options: [columnsOption("number of singular values")],
  example: "A.csv --p 3 --out U.csv --out V.csv",
  parts: ["U", "V"],
  points: "U",
  solve: ([A]: [Matrix | Sparse], o: TruncatedSvdOptions) => truncatedSvd(A, o),
  report: ({ U, V, values }) => ({
    saved: { name: "left singular vectors", matrix: U },
    lines: [["singular values", row(values, 8)]],
    numbers: { values, V: entries(V) },
  }),
});
