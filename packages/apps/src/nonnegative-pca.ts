import { nonnegative, quadraticObjective, stiefel } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { HostMatrix, Matrix } from "@expen/linalg";
import { bool, type MatrixLike, whole } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { type Application, byFalling, columns, optionsOf, runOn } from "./application.js";
import { sampleOf } from "./covariance.js";
import { CENTRE, columnsOption, type Description, describe, row, SAMPLES, STANDARDISE } from "./description.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";

/** Options of `nonnegativePca`: the number of components, centring and scaling, the starts, and the run */
export interface NonnegativePcaOptions extends Omit<SampleOptions, "solver" | "finish" | "beta" | "precondition"> {
  /** number of components */
  p: number;
  /** subtract the column means */
  centre?: boolean;
  /** another spelling of `centre` */
  center?: boolean;
  /** divide each column by its standard deviation */
  standardise?: boolean;
  /** another spelling of `standardise` */
  standardize?: boolean;
  /** the best of so many starts; 5 if left out */
  starts?: number;
}

/** The nonnegative components of `nonnegativePca`, a model that scores other samples */
export interface NonnegativePcaAnswer extends Application, Model {
  /** n×p, nonnegative and orthonormal: each variable belongs to one component at most */
  components: HostMatrix;
  /** the variables of each component */
  support: number[][];
  /** variance along each component */
  variances: number[];
  /** coordinates of the samples, m×p */
  scores: HostMatrix;
  centre: Float64Array;
  scale: Float64Array;
}

/** Starts of the search: the problem is NP-hard, and one costs little */
const STARTS = 5;

/**
 * Components that are sums of variables with nonnegative weights, of the largest variance: max ½⟨X, CX⟩ over X ≥ 0 with XᵀX = I [Montanari
 * and Richard, Non-negative principal component analysis, 2016; Jiang and others 2022]. As columns are orthogonal and nonnegative, no
 * variable is in two components.
 */
export async function nonnegativePca(
  source: MatrixLike,
  request: NonnegativePcaOptions = {} as NonnegativePcaOptions,
): Promise<NonnegativePcaAnswer> {
  const schema = { p: whole(1), centre: bool, standardise: bool, starts: whole(1), ...sampleSchema };
  const options = optionsOf("nonnegative-pca", request, schema);
  const { p, centre = true, standardise = false, starts = STARTS, columns: choice, gaps, ...o } = options;
  const { A, notes } = samplesOf("nonnegative-pca", source, { columns: choice, gaps }, () => p);
  return withEngine(o.engine, async (E) => {
    const n = A.cols;
    const sample = sampleOf(E, A, { application: "nonnegative-pca", centre, standardise });
    const f = quadraticObjective(E, n, p, sample.form);
    const run = await runOn(E, f, stiefel(n, p), o, { subjectTo: [nonnegative()], starts });
    run.notes.push(...notes);
    const S = E.small(p, p);
    sample.variances(S, tallOf(E, run.X));
    const numbers = E.read(S);
    const along = Array.from({ length: p }, (_, j) => numbers[j * (p + 1)]!);
    const order = byFalling(along);
    const components = columns(run.X, order);
    return modelOf("nonnegative-pca", {
      names: A.names,
      components,
      support: order.map((_, j) =>
        Array.from({ length: n }, (_, i) => i).filter((i) => components.data[i * p + j]! > 0),
      ),
      variances: order.map((j) => along[j]!),
      scores: sample.scores(components),
      centre: sample.centre,
      scale: sample.scale,
      run,
    });
  });
}

export const description: Description = describe({
  name: "nonnegative-pca",
  summary: "principal components with nonnegative weights, each variable in one at most",
  files: [SAMPLES],
  options: [
    columnsOption("number of components"),
    CENTRE,
    STANDARDISE,
    { name: "starts", type: "integer", help: "the best of so many starts, 5 by default" },
  ],
  example: "data.csv --p 2 --standardise --out components.csv",
  parts: ["components", "scores"],
  points: "scores",
  solve: ([A]: [Matrix], o: NonnegativePcaOptions) => nonnegativePca(A, o),
  report: ({ components, support, variances }) => ({
    saved: { name: "components", matrix: components },
    lines: [
      ["variance, per component", row(variances)],
      ...support.map((rows, j): [string, string] => [`variables of component ${j + 1}`, rows.join(", ")]),
    ],
    numbers: { support, variances },
  }),
});
