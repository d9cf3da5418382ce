import { drain } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Label, Matrix, Operator, Table } from "@expen/linalg";
import { amount, checkData, digits, type MatrixLike, ProblemError, whole } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { eigh } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import { compile, div, mul, neg, t, trace } from "@expen/tape";
import { type Application, CERTIFICATE_BUDGET, image, isAborted, optionsOf, plainOf, ritz } from "./application.js";
import { columnMeans, overflow, prepared, squareSum } from "./columns.js";
import { columnsOption, type Description, describe, row } from "./description.js";
import { type Classifier, ofClasses } from "./model/classifier.js";
import { modelOf } from "./model/model.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";
import { leading } from "./top-subspace.js";

/** Options of `discriminant`: the number of directions, the ridge, and the run */
export interface DiscriminantOptions extends SampleOptions {
  /** number of directions */
  p: number;
  /** ridge·(mean variance)·I is added to the scatter within classes; 0 requires more samples than columns */
  ridge?: number;
}

/** The directions of `discriminant`, a model that classifies other samples */
export interface DiscriminantAnswer extends Application, Classifier {
  /** n×p orthonormal, by decreasing separation */
  directions: HostMatrix;
  /** tr(XᵀS_bX)/tr(XᵀS_wX), the maximised trace ratio */
  ratio: number;
  /** the largest ratio possible is at most `ratio` + this: a proof by the eigenvalues of S_b − ratio·S_w */
  gapBound: number;
  /** m×p coordinates of the centred samples */
  scores: HostMatrix;
  classes: Label[];
  centre: Float64Array;
}

/**
 * Linear discriminant by trace ratio: orthonormal directions with the largest scatter between classes, S_b, over the scatter within
 * them, S_w. With λ the ratio at X, every Y has ratio(Y) − λ = tr Yᵀ(S_b − λS_w)Y / tr YᵀS_wY, hence
 *
 *     λ* − λ ≤ (sum of the p largest eigenvalues of S_b − λS_w) / (sum of the p smallest of S_w).
 *
 * The run starts at the result of Newton's method for λ, which is the largest ratio; with the option `solver` it starts at random.
 */
export async function discriminant(
  source: MatrixLike,
  labels: ArrayLike<Label> | string,
  options: DiscriminantOptions = {} as DiscriminantOptions,
): Promise<DiscriminantAnswer> {
  const {
    p,
    ridge = 1e-10,
    columns,
    gaps,
    ...o
  } = optionsOf("discriminant", options, { p: whole(1), ridge: amount, ...sampleSchema });
  const column = typeof labels === "string" ? { labels } : {};
  const { A, notes } = samplesOf("discriminant", source, { columns, gaps, ...column }, () => p);
  const labelOf = typeof labels === "string" ? A.labels! : labels;
  checkData("discriminant", "A", A, A.rows, A.cols);
  if (labelOf?.length !== A.rows) {
    const count = labelOf === undefined ? "no" : labelOf.length;
    throw new ProblemError(
      `discriminant: there are ${count} labels for ${A.rows} samples; give one each, or the name of their column.`,
    );
  }
  if (!(ridge >= 0)) throw new ProblemError(`discriminant: ridge is ${ridge}; it must be 0 or a positive number.`);
  const classes = classesOf(labelOf);
  if (classes.length < 2) {
    throw new ProblemError(`discriminant: all labels are ${classes[0]}; at least two classes are needed.`);
  }
  return withEngine(o.engine, async (E) => {
    const n = A.cols;
    const centre = columnMeans(A);
    const { data: centred } = prepared(A, centre, false);
    const { between, within } = scatters(E, A, labelOf, classes, centre);
    let mean = 0;
    for (let j = 0; j < n; j++) mean += within.data[j * (n + 1)]! / n;
    for (let j = 0; j < n; j++) within.data[j * (n + 1)]! += ridge * mean;
    // roundoff of the scatter of classes of equal samples
    const squares = squareSum(A);
    if (!(squares < Number.POSITIVE_INFINITY)) throw overflow("discriminant", "A");
    const nothing = (A.cols * EPS) ** 2 * squares;
    if (!(mean > nothing))
      throw new ProblemError("discriminant: the classes have no scatter within; the ratio is infinite.");

    const f = compile(E, { n, p }, (X) => neg(div(trace(mul(t(X), between, X)), trace(mul(t(X), within, X)))));
    const from = o.solver || isAborted(o) ? {} : { start: byTraceRatios(E, between, within, p) };
    const run = await drain(
      solveStiefel(E, f, { solver: "expen-newton", certificateBudget: CERTIFICATE_BUDGET, ...o, ...from }),
    );
    run.notes.push(...notes);
    const ratio = -run.fval;

    // N = S_b − λS_w
    const N = { rows: n, cols: n, data: between.data.map((b, k) => b - ratio * within.data[k]!) };
    const S = E.small(p, p);
    E.tmul(S, tallOf(E, run.X), image(E, E.operator(N), run.X));
    const { basis } = ritz(E, run.X, S);
    const top = eigh(E, smallOf(E, N)).values.slice(n - p);
    const least = eigh(E, smallOf(E, within)).values.slice(0, p);
    const total = (values: Float64Array): number => values.reduce((s, v) => s + v, 0);
    const scores = plainOf(E, image(E, E.operator(centred), basis));
    const answer = {
      ...(A.names && { names: A.names }),
      directions: basis,
      ratio,
      gapBound: Math.max(0, total(top)) / total(least),
      scores,
      classes,
      centroids: meansOf(scores, labelOf, classes),
      centre,
      run,
    };
    return modelOf<typeof answer, Classifier>("discriminant", answer, ofClasses);
  });
}

/** Most Newton steps; convergence is quadratic. */
const MOST_RATIOS = 30;

/**
 * Newton's method for max λ (Wang, Yan, Xu, Tang, Huang 2007; Ngo, Bellalij, Saad 2012): X ← the p leading eigenvectors of S_b − λS_w, λ
 * the ratio at X. The ratio increases to the maximum from any start.
 */
function byTraceRatios(E: Engine, between: Matrix, within: Matrix, p: number): Matrix {
  const n = between.rows;
  const [Sb, Sw] = [E.operator(between), E.operator(within)];
  const scatter = (S: Operator, X: Matrix): number => E.dot(tallOf(E, X), image(E, S, X));
  let [X, ratio] = [leading(E, { ...between, data: between.data.map((b) => -b) }, p).basis, 0];
  for (let k = 0; k < MOST_RATIOS; k++) {
    const next = scatter(Sb, X) / scatter(Sw, X);
    if (!(next > ratio * (1 + 4 * EPS) && next < Number.POSITIVE_INFINITY)) break;
    ratio = next;
    const minus = within.data.map((w, at) => ratio * w - between.data[at]!);
    X = leading(E, { rows: n, cols: n, data: minus }, p).basis;
  }
  return X;
}

/** S_b = Σ_c m_c(μ_c − μ)(μ_c − μ)ᵀ and S_w = Σ_i (a_i − μ_c(i))(a_i − μ_c(i))ᵀ, in plain numbers */
function scatters(
  E: Engine,
  A: Matrix,
  labels: ArrayLike<Label>,
  classes: readonly Label[],
  centre: Float64Array,
): { between: Matrix; within: Matrix } {
  const { rows: m, cols: n, data } = A;
  const place = new Map(classes.map((c, k) => [c, k]));
  const counts = new Float64Array(classes.length);
  const means = new Float64Array(classes.length * n);
  for (let i = 0; i < m; i++) counts[place.get(labels[i]!)!]!++;
  for (let i = 0; i < m; i++) {
    const c = place.get(labels[i]!)!;
    for (let j = 0; j < n; j++) means[c * n + j]! += data[i * n + j]! / counts[c]!;
  }
  const inside = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const c = place.get(labels[i]!)!;
    for (let j = 0; j < n; j++) inside[i * n + j] = data[i * n + j]! - means[c * n + j]!;
  }
  for (let c = 0; c < classes.length; c++) {
    for (let j = 0; j < n; j++) {
      means[c * n + j] = Math.sqrt(counts[c]!) * (means[c * n + j]! - centre[j]!);
    }
  }
  const [between, within] = [E.small(n, n), E.small(n, n)];
  E.gram(between, E.tall(classes.length, n, means));
  E.gram(within, E.tall(m, n, inside));
  return { between: plainOf(E, between), within: plainOf(E, within) };
}

/** The labels in the order of classes: numbers ascending, then texts */
function classesOf(labels: ArrayLike<Label>): Label[] {
  const isLess = (a: Label, b: Label): boolean => (typeof a === typeof b ? a < b : typeof a === "number");
  return [...new Set(Array.from(labels))].sort((a, b) => (isLess(a, b) ? -1 : 1));
}

/** Rows i of `scores` averaged over each class */
function meansOf(scores: Matrix, labels: ArrayLike<Label>, classes: readonly Label[]): Matrix {
  const p = scores.cols;
  const place = new Map(classes.map((c, k) => [c, k]));
  const [sums, counts] = [new Float64Array(classes.length * p), new Float64Array(classes.length)];
  for (let i = 0; i < scores.rows; i++) {
    const c = place.get(labels[i]!)!;
    counts[c]!++;
    for (let j = 0; j < p; j++) sums[c * p + j]! += scores.data[i * p + j]!;
  }
  return { rows: classes.length, cols: p, data: sums.map((v, k) => v / counts[Math.floor(k / p)]!) };
}

export const description: Description = describe({
  name: "discriminant",
  summary: "directions that separate classes best, by trace ratio",
  files: [{ name: "data", help: "data, one sample a row, with a column of labels" }],
  options: [columnsOption("number of directions")],
  labels: "the column of class labels, by name or by number from 1",
  example: "iris.csv --labels species --p 2 --report iris.html",
  parts: ["directions", "scores", "centroids"],
  points: "scores",
  solve: ([A]: [Table], o: DiscriminantOptions) => discriminant(A, A.labels ?? [], o),
  report: ({ directions, ratio, gapBound, classes }) => ({
    saved: { name: "directions", matrix: directions },
    lines: [
      ["trace ratio, between over within", `${row([ratio], 8)}, at most ${digits(gapBound)} below the maximum`],
      ["classes", classes.join("  ")],
    ],
    numbers: { ratio, gapBound, classes },
  }),
});
