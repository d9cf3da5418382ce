import type { UserObjective } from "@expen/core";
import { nonnegative, stiefel } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Tall } from "@expen/linalg";
import { checkData, type MatrixLike, oneOf, ProblemError, plainTranspose, whole } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { type Application, optionsOf, runOn } from "./application.js";
import { columnMeans, prepared } from "./columns.js";
import { columnsOption, type Description, describe, percent, SAMPLES } from "./description.js";
import { answerOf } from "./model/model.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";
import { topSubspace } from "./top-subspace.js";

const kinds = ["indicators", "factorization"] as const;

/** Options of `clusters`: the number of clusters, the criterion, and the run */
export interface ClustersOptions extends Omit<SampleOptions, "solver" | "finish" | "beta" | "precondition"> {
  /** number of clusters */
  p: number;
  /**
   * indicators, the default: the nonnegative orthonormal X nearest to the space of the leading p left singular vectors of the standardised
   * samples; factorization: A ≈ X·XᵀA for nonnegative A, whose rows are near multiples of p directions, as counts of words are
   */
  kind?: (typeof kinds)[number];
  /** the best of so many starts; 5 if left out */
  starts?: number;
}

/** The clusters of `clusters`: a label and a weight of each sample */
export interface ClustersAnswer extends Application {
  /** the cluster of each sample, from 0 in the order of their first samples; −1 for a sample that fits none */
  labels: number[];
  /** m×p, nonnegative and orthonormal: the weight of each sample in its cluster */
  weights: HostMatrix;
  /** the mean of the samples of each cluster, p×n */
  centres: HostMatrix;
  sizes: number[];
  /** 1 − ‖TᵀX‖²/‖T‖² of the matrix T that is factorized, or of the singular vectors */
  unexplained: number;
}

/** Starts of the search: the problem is NP-hard, and one costs little */
const STARTS = 5;

/**
 * Clusters of samples by an orthonormal nonnegative X, whose rows have one positive entry at most: max ½‖TᵀX‖², T the samples [Ding, Li,
 * Peng and Park, Orthogonal nonnegative matrix t-factorizations for clustering, 2006] or their leading left singular vectors [Chen, Yang,
 * Xu, Zhang and Zhang, K-indicators, 2019].
 */
export async function clusters(
  source: MatrixLike,
  request: ClustersOptions = {} as ClustersOptions,
): Promise<ClustersAnswer> {
  const schema = { p: whole(1), kind: oneOf(kinds), starts: whole(1), ...sampleSchema };
  const options = optionsOf("clusters", request, schema);
  const { p, kind = "indicators", starts = STARTS, columns, gaps, ...o } = options;
  const { A, notes } = samplesOf("clusters", source, { columns, gaps }, () => 1);
  const [m, n] = [A.rows, A.cols];
  if (p > m)
    throw new ProblemError(`clusters: p is ${p} but A has ${m} rows; there are no more clusters than samples.`);
  checkData("clusters", "A", A, m, n);
  if (kind === "factorization") requireNonnegative(A);
  return withEngine(o.engine, async (E) => {
    const T = kind === "factorization" ? A : leftVectors(E, A, p);
    const run = await runOn(E, overlap(E, m, p, T), stiefel(m, p), o, { subjectTo: [nonnegative()], starts });
    run.notes.push(...notes);
    const { labels, weights } = inOrder(Array.from(run.support!), run.X);
    const total = T.data.reduce((s, x) => s + x * x, 0);
    const { centres, sizes } = meansOf(A, labels, p);
    return answerOf({ labels, weights, centres, sizes, unexplained: 1 + (2 * run.fval) / total, run });
  });
}

/** f = −½‖TᵀX‖², ∇f = −T·TᵀX */
function overlap(E: Engine, m: number, p: number, numbers: Matrix): UserObjective {
  const T = tallOf(E, numbers);
  const S = E.small(T.cols, p);
  const unused = E.tall(m, p);
  const fg = (G: Tall, X: Tall): number => {
    E.tmul(S, T, X);
    E.mul(G, T, S, -1);
    return -0.5 * E.dot(S, S);
  };
  return { f: (X) => fg(unused, X), fg };
}

/** The leading p left singular vectors of the standardised samples, with a column of ones: clusters have means of their own */
function leftVectors(E: Engine, A: Matrix, p: number): Matrix {
  const { data } = prepared(A, columnMeans(A), true);
  const rank = Math.min(p - 1, A.cols, A.rows - 1);
  const ones = 1 / Math.sqrt(A.rows);
  const U =
    rank > 0 ? topSubspace(E, plainTranspose(data), rank) : { rows: A.rows, cols: 0, data: new Float64Array(0) };
  const T = new Float64Array(A.rows * (rank + 1));
  for (let i = 0; i < A.rows; i++) {
    T[i * (rank + 1)] = ones;
    for (let j = 0; j < rank; j++) T[i * (rank + 1) + j + 1] = U.data[i * rank + j]!;
  }
  return { rows: A.rows, cols: rank + 1, data: T };
}

function requireNonnegative({ cols, data }: Matrix): void {
  const at = data.findIndex((x) => x < 0);
  if (at < 0) return;
  const where = `(${Math.floor(at / cols)}, ${at % cols})`;
  throw new ProblemError(
    `clusters: entry ${where} of A is ${data[at]}; a factorization needs A ≥ 0, or take indicators.`,
  );
}

/** The clusters in the order of their first samples, as f is the same for every order of the columns of X */
function inOrder(support: readonly number[], X: Matrix): { labels: number[]; weights: Matrix } {
  const columns = [...new Set([...support.filter((j) => j >= 0), ...Array(X.cols).keys()])];
  const data = X.data.map((_, at) => X.data[at - (at % X.cols) + columns[at % X.cols]!]!);
  return {
    labels: support.map((j) => (j < 0 ? j : columns.indexOf(j))),
    weights: { rows: X.rows, cols: X.cols, data },
  };
}

function meansOf(A: Matrix, labels: readonly number[], p: number): { centres: Matrix; sizes: number[] } {
  const sizes = new Array<number>(p).fill(0);
  const data = new Float64Array(p * A.cols);
  for (const [i, j] of labels.entries()) {
    if (j < 0) continue;
    sizes[j]!++;
    for (let k = 0; k < A.cols; k++) data[j * A.cols + k]! += A.data[i * A.cols + k]!;
  }
  for (let at = 0; at < data.length; at++) data[at]! /= Math.max(1, sizes[Math.floor(at / A.cols)]!);
  return { centres: { rows: p, cols: A.cols, data }, sizes };
}

export const description: Description = describe({
  name: "clusters",
  summary: "clusters of samples by a nonnegative orthonormal matrix",
  files: [SAMPLES],
  options: [
    columnsOption("number of clusters"),
    { name: "kind", type: "choice", help: "singular vectors, or a factorization of nonnegative data", choices: kinds },
    { name: "starts", type: "integer", help: "the best of so many starts, 5 by default" },
  ],
  example: "data.csv --p 3 --out labels.csv",
  parts: ["labels", "weights", "centres"],
  solve: ([A]: [Matrix], o: ClustersOptions) => clusters(A, o),
  report: ({ labels, sizes, unexplained, centres }) => ({
    saved: { name: "labels", matrix: { rows: labels.length, cols: 1, data: Float64Array.from(labels) } },
    lines: [
      ["samples of the clusters", sizes.join("  ")],
      ["unexplained", percent(unexplained)],
    ],
    numbers: { labels, sizes, unexplained, centres: Array.from(centres.data) },
  }),
});
