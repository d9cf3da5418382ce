import { generalizedStiefel, product } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Small, Tall } from "@expen/linalg";
import { amount, checkData, type MatrixLike, matrixOf, ProblemError, whole } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { eigh, svd } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import {
  type Application,
  type ApplicationOptions,
  CERTIFICATE_BUDGET,
  columns,
  image,
  isAborted,
  optionsOf,
  plainOf,
  runOn,
  scaleColumns,
} from "./application.js";
import { bilinear, type Pair, paired } from "./bilinear.js";
import { columnMeans, prepared } from "./columns.js";
import { columnsOption, type Description, describe, entries, row } from "./description.js";
import { modelOf } from "./model/model.js";
import { ofPair, type PairModel, type SetOfColumns } from "./model/pair.js";
import { requireRank } from "./truncated-svd.js";

/** Options of `canonicalCorrelation`: the number of pairs, the ridge, and the run */
export interface CanonicalCorrelationOptions extends ApplicationOptions {
  /** number of pairs of canonical variables */
  p: number;
  /** ridge·I is added to both correlation matrices; default 1e-10; 0 requires linearly independent columns */
  ridge?: number;
}

/** The pairs of `canonicalCorrelation`, a model for other samples of both sets */
export interface CanonicalCorrelationAnswer extends Application<Pair>, PairModel {
  /** in [0, 1], decreasing */
  correlations: number[];
  /** weights of the standardised columns, n₁×p and n₂×p, one canonical variable a column */
  first: HostMatrix;
  second: HostMatrix;
  /** means and deviations of the columns of both sets, and their names */
  firstSet: SetOfColumns;
  secondSet: SetOfColumns;
  /** m×p canonical variables of both sets, with variance 1: column j of one belongs to column j of the other */
  firstScores: HostMatrix;
  secondScores: HostMatrix;
}

/**
 * Canonical correlations of two sets of variables of the same samples [Hotelling 1936]: with standardised columns A₁, A₂,
 *
 *     max tr UᵀC₁₂V  with  UᵀC₁₁U = I,  VᵀC₂₂V = I,   C_ij = A_iᵀA_j/(m − 1),
 *
 * on the product of two generalised Stiefel manifolds. The correlations are the singular values of UᵀC₁₂V. The run
 * starts at the singular vectors of the whitened C₁₂; with the option `solver` it starts at random.
 */
export async function canonicalCorrelation(
  ofFirst: MatrixLike,
  ofSecond: MatrixLike,
  options: CanonicalCorrelationOptions = {} as CanonicalCorrelationOptions,
): Promise<CanonicalCorrelationAnswer> {
  const { p, ridge = 1e-10, ...o } = optionsOf("cca", options, { p: whole(1), ridge: amount });
  const [A1, A2] = [matrixOf("cca", "the first set", ofFirst), matrixOf("cca", "the second set", ofSecond)];
  requireRank("cca", p, { "columns of the first set": A1.cols, "columns of the second set": A2.cols });
  if (A1.rows < 2) throw new ProblemError(`cca: the first set has ${A1.rows} rows; at least 2 samples are needed.`);
  checkData("cca", "the first set", A1, A1.rows, A1.cols);
  checkData("cca", "the second set", A2, A1.rows, A2.cols);
  if (!(ridge >= 0)) throw new ProblemError(`cca: ridge is ${ridge}; it must be 0 or a positive number.`);
  return withEngine(o.engine, async (E) => {
    const { data: first, ...set1 } = prepared(A1, columnMeans(A1), true);
    const { data: second, ...set2 } = prepared(A2, columnMeans(A2), true);
    const [T1, T2] = [tallOf(E, first), tallOf(E, second)];
    const [C11, C22, C12] = [E.small(A1.cols, A1.cols), E.small(A2.cols, A2.cols), E.small(A1.cols, A2.cols)];
    E.gram(C11, T1);
    E.gram(C22, T2);
    E.tmul(C12, T1, T2);
    for (const C of [C11, C22, C12]) E.combine(C, 1 / (A1.rows - 1), C, 0, C);
    for (const C of [C11, C22]) E.addDiagonal(C, ridge);

    const cross = E.operator(plainOf(E, C12));
    const on = product({
      U: generalizedStiefel(plainOf(E, C11), p),
      V: generalizedStiefel(plainOf(E, C22), p),
    });
    const from = o.solver || isAborted(o) ? {} : { start: bySingularVectors(E, C11, C12, C22, p) };
    const run = await runOn<Pair<Tall>>(
      E,
      bilinear(E, cross),
      on,
      { certificateBudget: CERTIFICATE_BUDGET, ...o },
      from,
    );
    if (A1.rows - 1 < A1.cols + A2.cols) {
      const sizes = `${A1.rows} samples and ${A1.cols} + ${A2.cols} columns`;
      run.notes.push(`with ${sizes} some correlations are 1 whatever the data; take more samples or fewer columns`);
    }
    const { U, V, values } = paired(E, cross, run.X);
    const answer = {
      correlations: values,
      first: U,
      second: V,
      firstSet: { ...set1, ...(A1.names && { names: A1.names }) },
      secondSet: { ...set2, ...(A2.names && { names: A2.names }) },
      firstScores: plainOf(E, image(E, E.operator(first), U)),
      secondScores: plainOf(E, image(E, E.operator(second), V)),
      run,
    };
    return modelOf<typeof answer, PairModel>("cca", answer, ofPair);
  });
}

/** U = W₁P and V = W₂Q for the singular vectors P, Q of W₁ᵀC₁₂W₂, with W_iᵀC_iiW_i = I */
function bySingularVectors(E: Engine, C11: Small, C12: Small, C22: Small, p: number): Pair {
  const [W1, W2] = [whitening(E, C11), whitening(E, C22)];
  const [left, K] = [E.small(C11.rows, C22.rows), E.small(C11.rows, C22.rows)];
  E.mul(left, C12, W2);
  E.tmul(K, W1, left);
  const { U, V } = svd(E, K);
  const first = Array.from({ length: p }, (_, j) => j);
  const basis = (W: Small, Q: Small): Matrix => {
    const B = E.small(W.rows, Q.cols);
    E.mul(B, W, Q);
    return columns(plainOf(E, B), first);
  };
  return { U: basis(W1, U), V: basis(W2, V) };
}

/** QΛ^(−½) for C = QΛQᵀ; eigenvalues at or below roundoff are replaced by roundoff */
function whitening(E: Engine, C: Small): Small {
  const { values, vectors } = eigh(E, C);
  const least = EPS * values.at(-1)!;
  return smallOf(
    E,
    scaleColumns(
      plainOf(E, vectors),
      values.map((v) => 1 / Math.sqrt(Math.max(v, least))),
    ),
  );
}

export const description: Description = describe({
  name: "cca",
  summary: "canonical correlations of two sets of variables",
  files: [
    { name: "first", help: "data, one sample a row" },
    { name: "second", help: "other variables of the same samples, row by row" },
  ],
  options: [columnsOption("number of pairs of canonical variables")],
  example: "first.csv second.csv --p 2 --out first-scores.csv",
  parts: ["first", "second", "firstScores", "secondScores"],
  points: "firstScores",
  solve: ([A1, A2]: [Matrix, Matrix], o: CanonicalCorrelationOptions) => canonicalCorrelation(A1, A2, o),
  report: ({ correlations, first, second }) => ({
    saved: { name: "weights of the first set", matrix: first },
    lines: [["canonical correlations", row(correlations, 6)]],
    numbers: { correlations, second: entries(second) },
  }),
});
