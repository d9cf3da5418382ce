import type { Nonsmooth, QuadraticForm, Result, StiefelOptions } from "@expen/core";
import { drain, quadraticObjective, randomStart } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix } from "@expen/linalg";
import { amount, bool, type MatrixLike, oneOf, ProblemError, whole } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import {
  type Application,
  type ApplicationOptions,
  byFalling,
  columns,
  isAborted,
  optionsOf,
  plainOf,
  scaleColumns,
  withPositivePeaks,
} from "./application.js";
import { prepared } from "./columns.js";
import { sampleOf } from "./covariance.js";
import {
  CENTRE,
  columnsOption,
  type Description,
  describe,
  percent,
  row,
  SAMPLES,
  STANDARDISE,
} from "./description.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";
import { sparseRegression } from "./sparse-regression.js";
import { topSubspace } from "./top-subspace.js";

const kinds = ["l1", "l21", "regression"] as const;

/** Options of `sparsePca`: the number of components, the norm and its weight, centring and scaling, and the run */
export interface SparsePcaOptions extends Omit<SampleOptions, "solver" | "finish"> {
  /** number of components */
  p: number;
  /** weight of the norm against the variance, −½‖ÂX‖²/(m − 1); 0 gives principal components */
  weight: number;
  /**
   * l1: single zeros; l21: zero rows, variables that no component uses; regression: dense components with sparse loadings (the
   * criterion of Zou, Hastie and Tibshirani, used by AManPG)
   */
  kind?: Nonsmooth["kind"] | "regression";
  /** subtract the column means */
  centre?: boolean;
  /** another spelling of `centre` */
  center?: boolean;
  /** divide each column by its standard deviation */
  standardise?: boolean;
  /** another spelling of `standardise` */
  standardize?: boolean;
}

/** The sparse components of `sparsePca`, a model that scores other samples */
export interface SparsePcaAnswer extends Application, Model {
  /** n×p, orthonormal to rounding, so that zeros are about 1e-16 */
  components: HostMatrix;
  /** indices of the nonzero entries of each component */
  support: number[][];
  /** share of zero entries */
  zeros: number;
  /** variance along each component */
  variances: number[];
  /** −½‖ÂX‖²/(m − 1) + weight·r(X); regression: −½‖S_w(CX)‖² */
  value: number;
  /** only for regression: the nonzero columns of S_w(CX) divided by their lengths */
  loadings?: HostMatrix;
  /** coordinates of the samples, m×p */
  scores: HostMatrix;
  centre: Float64Array;
  scale: Float64Array;
}

/**
 * Orthonormal components with few entries: min −½‖ÂX‖²/(m − 1) + weight·r(X), r(X) = Σ|X_ij| or Σ_i‖row i of X‖, by the proximal method
 * `slpg` from the principal subspace. Entries of the last iterate up to 1e-8, before the projection, count as zeros. For
 * `regression` f is smooth (sparse-regression.ts), and the zeros are those of the loadings.
 */
export async function sparsePca(
  source: MatrixLike,
  options: SparsePcaOptions = {} as SparsePcaOptions,
): Promise<SparsePcaAnswer> {
  const {
    p,
    weight,
    kind = "l1",
    centre = true,
    standardise = false,
    columns: choice,
    gaps,
    ...o
  } = optionsOf("sparse-pca", options, {
    p: whole(1),
    weight: amount,
    kind: oneOf(kinds),
    centre: bool,
    standardise: bool,
    ...sampleSchema,
  });
  const { A, notes } = samplesOf("sparse-pca", source, { columns: choice, gaps }, () => p);
  if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
    throw new ProblemError(`sparse-pca: weight is ${weight}; it must be 0 or a positive number.`);
  }
  const { solver } = o as ApplicationOptions;
  if (solver && solver !== "slpg" && kind !== "regression") {
    throw new ProblemError(`sparse-pca: solver is '${solver}'; proximal maps are known to slpg alone, leave it out.`);
  }
  return withEngine(o.engine, async (E) => {
    const n = A.cols;
    const sample = sampleOf(E, A, { application: "sparse-pca", centre, standardise });
    const start = isAborted(o) ? plainOf(E, randomStart(E, n, p, o.seed ?? 1)) : principalSubspace();
    function principalSubspace(): Matrix {
      const top = sample.top(p)?.X;
      return top ? plainOf(E, top) : topSubspace(E, prepared(A, sample.centre, standardise).data, p);
    }
    const solution =
      kind === "regression"
        ? await byRegression(E, sample.form, start, weight, o)
        : await byThreshold(E, sample.form, start, { kind, weight }, o);

    const S = E.small(p, p);
    sample.variances(S, tallOf(E, solution.run.X));
    const numbers = E.read(S);
    const along = Array.from({ length: p }, (_, j) => numbers[j * (p + 1)]!);
    const order = byFalling(along);
    const { pattern, run, loadings } = solution;
    run.notes.push(...notes);
    const components = withPositivePeaks(columns(run.X, order));
    return modelOf("sparse-pca", {
      names: A.names,
      components,
      support: order.map((j) => Array.from({ length: n }, (_, i) => i).filter((i) => pattern[i * p + j])),
      zeros: pattern.reduce((count, entry) => count - (entry ? 1 : 0), n * p) / (n * p),
      variances: order.map((j) => along[j]!),
      value: run.fval,
      ...(loadings && { loadings: withPositivePeaks(columns(loadings, order)) }),
      scores: sample.scores(components),
      centre: sample.centre,
      scale: sample.scale,
      run,
    });
  });
}

interface Answer {
  run: Result;
  /** 1 for nonzero entries, else 0 */
  pattern: Uint8Array;
  loadings?: Matrix;
}

async function byThreshold(
  E: Engine,
  form: QuadraticForm,
  start: Matrix,
  nonsmooth: Nonsmooth,
  o: StiefelOptions,
): Promise<Answer> {
  const f = quadraticObjective(E, start.rows, start.cols, form);
  const run = await drain(solveStiefel(E, f, { ...o, solver: "slpg", nonsmooth, start }));
  return { run, pattern: run.sparsity!.pattern };
}

async function byRegression(
  E: Engine,
  form: QuadraticForm,
  start: Matrix,
  weight: number,
  o: StiefelOptions,
): Promise<Answer> {
  const { rows: n, cols: p } = start;
  const { f, loadings } = sparseRegression(E, n, p, form, weight);
  const run = await drain(solveStiefel(E, f, { ...o, start }));
  const Y = E.tall(n, p);
  loadings(Y, tallOf(E, run.X));
  const numbers = E.read(Y);
  const squares = new Float64Array(p);
  for (let i = 0, k = 0; i < n; i++) for (let j = 0; j < p; j++, k++) squares[j]! += numbers[k]! ** 2;
  const lengths = squares.map((s) => 1 / (Math.sqrt(s) || 1));
  return {
    run,
    pattern: Uint8Array.from(numbers, (y) => (y === 0 ? 0 : 1)),
    loadings: scaleColumns({ rows: n, cols: p, data: numbers }, lengths),
  };
}

export const description: Description = describe({
  name: "sparse-pca",
  summary: "principal components with few nonzero entries",
  files: [SAMPLES],
  options: [
    columnsOption("number of components"),
    { name: "weight", type: "number", help: "weight of the norm against the variance", required: true },
    { name: "kind", type: "choice", help: "zeros of entries, rows, loadings", choices: kinds },
    CENTRE,
    STANDARDISE,
  ],
  example: "data.csv --p 2 --weight 0.5 --standardise",
  parts: ["components", "scores", "loadings"],
  points: "scores",
  solve: ([A]: [Matrix], o: SparsePcaOptions) => sparsePca(A, o),
  report: ({ components, support, zeros, variances, value }) => ({
    saved: { name: "components", matrix: components },
    lines: [
      ["share of zero entries", percent(zeros)],
      ["variance, per component", row(variances)],
      ...support.map((rows, j): [string, string] => [`variables of component ${j + 1}`, rows.join(", ")]),
    ],
    numbers: { support, zeros, variances, value },
  }),
});
