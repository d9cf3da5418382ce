import { randomStart } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Tall } from "@expen/linalg";
import { type MatrixLike, oneOf, ProblemError, whole } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { polar } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import {
  type Application,
  bestOf,
  byFalling,
  columns,
  isAborted,
  optionsOf,
  peakSigns,
  plainOf,
  randomStarts,
  scaleColumns,
} from "./application.js";
import { type Sample, sampleOf } from "./covariance.js";
import { type Description, describe, row, SAMPLES } from "./description.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { contrasts, negentropy, sums } from "./negentropy.js";
import { inPairMetric } from "./pair-metric.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";

/**
 * The rotation of a column, measured as 1 − |cos|, below which FastICA ends. Its long steps lead to better minima than those of a line
 * search; near a minimum it is slow, except for independent sources, for which its order is three.
 */
const ROTATION = 1e-2;
/** Ratio of a rotation to the one before below which convergence is fast, and FastICA goes on */
const FAST = 3e-2;
/** The rotation below which FastICA ends then */
const SETTLED = 1e-10;
/** Most steps of FastICA from each start */
const MOST_STEPS = 30;

/** Options of `ica`: the number of sources, the contrast, the starts, and the run */
export interface IcaOptions extends SampleOptions {
  /** number of sources; default: the number of columns */
  p?: number;
  /** logcosh is robust against outliers; kurtosis is the fourth cumulant */
  contrast?: keyof typeof contrasts;
  /**
   * combination of the distances from a Gaussian; squares: FastICA's deflation, with larger weight on clear sources; absolute: symmetric
   * FastICA and Picard
   */
  sum?: keyof typeof sums;
  /** number of random starts; the best result is returned */
  starts?: number;
}

/** The sources of `ica`, a model that unmixes other samples */
export interface IcaAnswer extends Application, Model {
  /** m×p, one sample a row, uncorrelated with variance 1, by decreasing distance from a Gaussian */
  sources: HostMatrix;
  /** n×p: sources = (A − 1·centreᵀ)·unmixing */
  unmixing: HostMatrix;
  /** n×p: A ≈ 1·centreᵀ + sources·mixingᵀ, exactly for p = n */
  mixing: HostMatrix;
  /** E G(source) − E G(normal): negative for heavy tails, positive for light ones (logcosh; kurtosis: the other way round) */
  contrasts: number[];
  centre: Float64Array;
}

/**
 * Independent components: with Z the whitened data (ZᵀZ = m·I) and X orthogonal,
 *
 *     f(X) = −Σ_j (mean G(Z·x_j) − E G(ν))²,
 *
 * the negentropy approximation of Hyvärinen (1999), or the sum of |…|; the kind of tails need not be known. Some steps
 * of FastICA improve each random start; the run is preconditioned by the Hessian for independent sources (negentropy.ts).
 */
export async function ica(source: MatrixLike, options: IcaOptions = {}): Promise<IcaAnswer> {
  const {
    p: count,
    contrast = "logcosh",
    sum = "squares",
    starts = 3,
    columns: choice,
    gaps,
    ...o
  } = optionsOf("ica", options, {
    p: whole(1),
    contrast: oneOf(Object.keys(contrasts)),
    sum: oneOf(Object.keys(sums)),
    starts: whole(1),
    ...sampleSchema,
  });
  const { A, notes } = samplesOf("ica", source, { columns: choice, gaps }, (n) => count ?? n);
  const p = count ?? A.cols;
  return withEngine(o.engine, async (E) => {
    const sample = sampleOf(E, A, { application: "ica", centre: true, standardise: false, weight: 1 / A.rows });
    const { whitening, dewhitening } = whiteners(E, A, sample, p);
    const white = sample.scores(whitening);
    const { f, precondition, fixedPoint, distances } = negentropy(E, white, contrast, sum);
    const first = fastSteps(E, p, fixedPoint, isAborted(o) ? 0 : MOST_STEPS);
    const from = randomStarts("ica", starts).map((_, i) => first(randomStart(E, p, p, (o.seed ?? 1) + i)));
    const startMatrices = from.map(({ X }) => X);
    const run = await bestOf(E, f, startMatrices, inPairMetric(o, precondition));
    const steps = from.map(({ steps }) => steps).join(" + ");
    run.notes.push(`${steps} steps of FastICA before the runs, an evaluation each, are not in the counts`, ...notes);

    const d = Array.from(distances(tallOf(E, run.X)));
    const order = byFalling(d.map(Math.abs));
    const ordered = columns(run.X, order);
    const X = scaleColumns(ordered, peakSigns(product(E, dewhitening, ordered)));
    const unmixing = product(E, whitening, X);
    return modelOf("ica", {
      names: A.names,
      sources: sample.scores(unmixing),
      unmixing,
      mixing: product(E, dewhitening, X),
      contrasts: order.map((j) => d[j]!),
      centre: sample.centre,
      run,
    });
  });
}

function product(E: Engine, A: Matrix, X: Matrix): Matrix {
  const AX = E.small(A.rows, X.cols);
  E.mul(AX, smallOf(E, A), smallOf(E, X));
  return plainOf(E, AX);
}

const goesOn = (rotation: number, before: number): boolean =>
  rotation > (rotation <= FAST * before ? SETTLED : ROTATION);

/** Steps X ← polar(fixedPoint(X)), which overwrite the start */
function fastSteps(E: Engine, p: number, fixedPoint: (Y: Tall, X: Tall) => void, most: number) {
  const project = polar(E, p, p);
  const [Y, Z, S, cosines] = [E.tall(p, p), E.tall(p, p), E.small(p, p), new Float64Array(p * p)];
  return (X: Tall): { X: Matrix; steps: number } => {
    let steps = 0;
    for (let [rotation, before] = [1, 1]; goesOn(rotation, before) && steps < most; steps++) {
      before = rotation;
      fixedPoint(Y, X);
      project(Z, Y);
      E.tmul(S, X, Z);
      E.read(S, cosines);
      rotation = 0;
      for (let j = 0; j < p; j++) rotation = Math.max(rotation, 1 - Math.abs(cosines[j * (p + 1)]!));
      E.copy(X, Z);
    }
    return { X: plainOf(E, X), steps };
  };
}

/** The whitening VΛ^(−½) and its inverse map VΛ^(½), for the p largest eigenvalues of the covariance C = VΛVᵀ */
function whiteners(E: Engine, A: Matrix, { top }: Sample, p: number): { whitening: Matrix; dewhitening: Matrix } {
  const { X, spectrum } = top(Math.min(p, A.rows), Number.POSITIVE_INFINITY)!;
  const deviations = Array.from(spectrum.values, (minus) => Math.sqrt(Math.max(0, -minus)));
  // roundoff of zero eigenvalues of C is about n·ε of the largest
  const nothing = Math.sqrt(4 * A.cols * EPS) * deviations[0]!;
  const rank = deviations.filter((v) => v > nothing).length;
  if (rank < p) {
    throw new ProblemError(
      rank === 0
        ? "ica: all samples are the same; there is nothing to separate."
        : `ica: the data has only ${rank} independent directions; ask for p = ${rank} or fewer sources.`,
    );
  }
  const V = plainOf(E, X);
  const inverse = deviations.map((v) => 1 / v);
  return { whitening: scaleColumns(V, inverse), dewhitening: scaleColumns(V, deviations) };
}

export const description: Description = describe({
  name: "ica",
  summary: "independent components of a data file",
  files: [SAMPLES],
  options: [
    { name: "p", type: "integer", help: "number of sources; default: the number of columns" },
    {
      name: "contrast",
      type: "choice",
      help: "measure of distance from a Gaussian",
      choices: /* @__PURE__ */ Object.keys(contrasts),
    },
  ],
  example: "recorded.csv --p 2 --out sources.csv --report sources.html",
  parts: ["sources", "unmixing", "mixing"],
  points: "sources",
  solve: ([A]: [Matrix], o: IcaOptions) => ica(A, o),
  report: (answer) => ({
    saved: { name: "sources", matrix: answer.sources },
    lines: [["contrast minus that of a Gaussian, per source", row(answer.contrasts)]],
    numbers: { contrasts: answer.contrasts },
  }),
});
