import type { Result, StiefelOptions } from "@expen/core";
import { drain, quadraticObjective } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix } from "@expen/linalg";
import { bool, type MatrixLike, whole } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { closedForm, solveStiefel } from "@expen/solvers";
import { type Application, isAborted, optionsOf, plainOf, ritz, withPositivePeaks } from "./application.js";
import { type Sample, sampleOf } from "./covariance.js";
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

/** Options of `pca`: the number of components, centring and scaling, and the run */
export interface PcaOptions extends SampleOptions {
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
}

/** The principal components of `pca`, a model that scores other samples */
export interface PcaAnswer extends Application, Model {
  /** n×p, orthonormal, by decreasing variance; in each column the largest entry is positive */
  components: HostMatrix;
  /** variance along each component */
  variances: number[];
  /** share of the total variance, per component */
  explained: number[];
  totalVariance: number;
  /** coordinates of the samples, m×p */
  scores: HostMatrix;
  centre: Float64Array;
  scale: Float64Array;
}

/**
 * The p orthonormal directions of largest variance of A (m×n, one sample a row): the minimum of −½‖ÂX‖²/(m − 1). A dense
 * eigensolver for the smaller of ÂᵀÂ and ÂÂᵀ computes them; if both are large, or with the option `solver`, a run does, to the rounding
 * floor by Newton steps. Then X ← X·V for the eigenvectors V of XᵀCX. The certificate is a proof, if one takes at most 5·10⁹ flops: no
 * eigenvalue of C off X is above those on it.
 */
export async function pca(source: MatrixLike, options: PcaOptions = {} as PcaOptions): Promise<PcaAnswer> {
  const {
    p,
    centre = true,
    standardise = false,
    columns,
    gaps,
    ...o
  } = optionsOf("pca", options, { p: whole(1), centre: bool, standardise: bool, ...sampleSchema });
  const { A, notes } = samplesOf("pca", source, { columns, gaps }, () => p);
  return withEngine(o.engine, async (E) => {
    const n = A.cols;
    const sample = sampleOf(E, A, { application: "pca", centre, standardise });
    const { run, variances: known } = await principal(E, sample, n, p, { finish: "newton", ...o });

    const { basis, values } = known
      ? { basis: withPositivePeaks(run.X), values: known }
      : rotateToComponents(E, run.X, sample);
    const { totalVariance } = sample;
    run.notes.push(...notes);
    if (totalVariance === 0) run.notes.push("the samples are all the same: every direction has the variance 0");
    const variances = values.map((v) => Math.max(0, v));
    return modelOf("pca", {
      names: A.names,
      components: basis,
      variances,
      explained: variances.map((v) => (totalVariance > 0 ? v / totalVariance : 0)),
      totalVariance,
      scores: sample.scores(basis),
      centre: sample.centre,
      scale: sample.scale,
      run,
    });
  });
}

/** The components in the span of X, and the variances along them */
function rotateToComponents(E: Engine, X: Matrix, sample: Sample): { basis: Matrix; values: number[] } {
  const S = E.small(X.cols, X.cols);
  sample.variances(S, tallOf(E, X));
  return ritz(E, X, S);
}

/** The result for −½⟨X, CX⟩: the closed form if there is one, whose columns are eigenvectors with `variances`, otherwise that of a run */
export async function principal(
  E: Engine,
  { form, top }: Pick<Sample, "form"> & Partial<Pick<Sample, "top">>,
  n: number,
  p: number,
  o: StiefelOptions,
): Promise<{ run: Result; variances?: number[] }> {
  const f = quadraticObjective(E, n, p, form);
  const start = o.solver || isAborted(o) ? undefined : top?.(p);
  const run = start && (await closedForm(E, f, start, o));
  if (run) return { run, variances: Array.from(start.spectrum.values, (minus) => -minus) };
  return { run: await drain(solveStiefel(E, f, { ...o, start: start && plainOf(E, start.X) })) };
}

export const description: Description = describe({
  name: "pca",
  summary: "principal components of a data file",
  files: [SAMPLES],
  options: [columnsOption("number of components"), CENTRE, STANDARDISE],
  example: "data.csv --p 2 --columns 1-4 --out scores.csv",
  parts: ["components", "scores"],
  points: "scores",
  solve: ([A]: [Matrix], o: PcaOptions) => pca(A, o),
  report: ({ components, variances, explained, totalVariance }) => ({
    saved: { name: "components", matrix: components },
    lines: [
      ["variance, per component", row(variances)],
      ["variance explained", percent(...explained)],
    ],
    numbers: { variances, explained, totalVariance },
  }),
});
