import { randomStart } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { oneOf, ProblemError, whole } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { polar } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import {
  type Application,
  type ApplicationOptions,
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
import { requireSampleSizes } from "./columns.js";
import { type Sample, sampleOf } from "./covariance.js";
import { describe, row, SAMPLES } from "./description.js";
import { contrasts, negentropy, sums } from "./negentropy.js";
import { inPairMetric } from "./pair-metric.js";

/**
 * FastICA's long steps end near better minima than those of a line search; near one it is slow, but for sources that are independent,
 * where it has the order three. So it goes on until no column turns by more than TURN, 1 − |cos|, and while turns shrink by FAST, to the
 * end; or for so many steps.
 */
const TURN = 1e-2;
const FAST = 3e-2;
const SETTLED = 1e-10;
const MOST_STEPS = 30;

export interface IcaOptions extends ApplicationOptions {
  /** how many sources; default: as many as columns */
  p?: number;
  /** logcosh: little moved by outliers; kurtosis: the fourth cumulant */
  contrast?: keyof typeof contrasts;
  /**
   * how distances from a Gaussian add up. squares: FastICA's deflation, weighs distinct sources more; absolute: what symmetric FastICA and
   * Picard climb
   */
  sum?: keyof typeof sums;
  /** seeded starts, the best of which is taken */
  starts?: number;
}

export interface IcaAnswer extends Application {
  /** m×p, uncorrelated, variance 1 (the i-th row belongs to the i-th sample), by falling distance from a Gaussian */
  sources: Matrix;
  /** n×p: sources = (A − 1·centreᵀ)·unmixing */
  unmixing: Matrix;
  /** n×p: A ≈ 1·centreᵀ + sources·mixingᵀ, exactly for p = n */
  mixing: Matrix;
  /** E G(source) − E G(normal): negative for heavy tails, positive for light ones (logcosh; kurtosis: the other way round) */
  contrasts: number[];
  centre: Float64Array;
}

/**
 * Independent components: with Z the whitened data (ZᵀZ = m·I) and X orthogonal,
 *
 *     f(X) = −Σ_j (mean G(Z·x_j) − E G(ν))²,
 *
 * the negentropy approximation of Hyvärinen (1999), or the sum of |…|; heavy and light tails need not be known beforehand. Each
 * random start has some steps of FastICA first; those of the run are
 * preconditioned by the Hessian that independent sources have (negentropy.ts).
 */
export async function ica(A: Matrix, given: IcaOptions = {}): Promise<IcaAnswer> {
  const {
    p = A?.cols,
    contrast = "logcosh",
    sum = "squares",
    starts = 3,
    ...o
  } = optionsOf("ica", given, {
    p: whole(1),
    contrast: oneOf(Object.keys(contrasts)),
    sum: oneOf(Object.keys(sums)),
    starts: whole(1),
  });
  requireSampleSizes("ica", A, p);
  return withEngine(o.engine, async (E) => {
    const sample = sampleOf(E, A, { application: "ica", centre: true, standardise: false, weight: 1 / A.rows });
    const { whitening, dewhitening } = whiteners(E, A, sample, p);
    const white = sample.scores(whitening);
    const { f, precondition, fixedPoint, distances } = negentropy(E, white, contrast, sum);
    const first = fastSteps(E, p, fixedPoint, isAborted(o) ? 0 : MOST_STEPS);
    const from = randomStarts("ica", starts).map((_, i) => first(randomStart(E, p, p, (o.seed ?? 1) + i)));
    const begun = from.map(({ X }) => X);
    const run = await bestOf(E, f, begun, inPairMetric(o, precondition));
    const steps = from.map(({ steps }) => steps).join(" + ");
    run.notes.push(`${steps} steps of FastICA before the runs, an evaluation each, are not in the counts`);

    const d = Array.from(distances(tallOf(E, run.X)));
    const order = byFalling(d.map(Math.abs));
    const ordered = columns(run.X, order);
    const X = scaleColumns(ordered, peakSigns(product(E, dewhitening, ordered)));
    const unmixing = product(E, whitening, X);
    return {
      sources: sample.scores(unmixing),
      unmixing,
      mixing: product(E, dewhitening, X),
      contrasts: order.map((j) => d[j]!),
      centre: sample.centre,
      run,
    };
  });
}

function product(E: Engine, A: Matrix, X: Matrix): Matrix {
  const AX = E.small(A.rows, X.cols);
  E.mul(AX, smallOf(E, A), smallOf(E, X));
  return plainOf(E, AX);
}

const goesOn = (turned: number, before: number): boolean => turned > (turned <= FAST * before ? SETTLED : TURN);

/** The steps X ← polar(fixedPoint(X)) from a start, whose matrix is overwritten */
function fastSteps(E: Engine, p: number, fixedPoint: (Y: Tall, X: Tall) => void, most: number) {
  const project = polar(E, p, p);
  const [Y, Z, S, cosines] = [E.tall(p, p), E.tall(p, p), E.small(p, p), new Float64Array(p * p)];
  return (X: Tall): { X: Matrix; steps: number } => {
    let steps = 0;
    for (let [turned, before] = [1, 1]; goesOn(turned, before) && steps < most; steps++) {
      before = turned;
      fixedPoint(Y, X);
      project(Z, Y);
      E.tmul(S, X, Z);
      E.read(S, cosines);
      turned = 0;
      for (let j = 0; j < p; j++) turned = Math.max(turned, 1 - Math.abs(cosines[j * (p + 1)]!));
      E.copy(X, Z);
    }
    return { X: plainOf(E, X), steps };
  };
}

/** C = VΛVᵀ the covariance; whitening VΛ^(−½) and its counterpart VΛ^(½), of the p largest eigenvalues */
function whiteners(E: Engine, A: Matrix, { top }: Sample, p: number): { whitening: Matrix; dewhitening: Matrix } {
  const { X, spectrum } = top(Math.min(p, A.rows), Number.POSITIVE_INFINITY)!;
  const deviations = Array.from(spectrum.values, (minus) => Math.sqrt(Math.max(0, -minus)));
  // eigenvalues of C that are 0 are known to about n·ε of the largest
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

export const description = describe({
  name: "ica",
  summary: "independent components of a data file",
  files: [SAMPLES],
  options: [
    { name: "p", type: "integer", help: "how many sources; as many as columns if absent" },
    { name: "contrast", type: "choice", help: "what tells a source from a Gaussian", choices: Object.keys(contrasts) },
  ],
  solve: ([A]: [Matrix], o: IcaOptions) => ica(A, o),
  report: (answer) => ({
    saved: { name: "sources", matrix: answer.sources },
    lines: [["contrasts", row(answer.contrasts)]],
    numbers: { contrasts: answer.contrasts },
  }),
});
