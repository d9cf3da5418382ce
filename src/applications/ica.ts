import { EPS } from "../arrays/scale.js";
import { logcosh as logcoshOf } from "../engines/elementwise/operations.js";
import { withEngine } from "../engines/open.js";
import { smallOf, tallOf } from "../engines/own-matrix.js";
import { eigh } from "../linalg/eigh.js";
import { polar } from "../linalg/polar.js";
import { ProblemError } from "../problems/problem.js";
import { randomStart } from "../run/start.js";
import type { Engine, Matrix, Small, Tall } from "../types.js";
import {
  type Application,
  type ApplicationOptions,
  bestOf,
  byFalling,
  columns,
  peakSigns,
  plainOf,
  randomStarts,
  scaleColumns,
} from "./application.js";
import { columnMeans, prepared, requireSamples } from "./columns.js";
import { contrasts, negentropy, sums } from "./negentropy.js";
import { inPairMetric } from "./pair-metric.js";

/**
 * FastICA's long steps end near better minima than those of a line search; near one it is slow. So it goes on until no column turns by
 * more than this, 1 − |cos|, or for so many steps: on seven sets of data the ends are those of 30 steps, with 0.85 of the evaluations.
 */
const TURN = 1e-2;
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
export async function ica(
  A: Matrix,
  { p = A?.cols, contrast = "logcosh", sum = "squares", starts = 3, ...o }: IcaOptions = {},
): Promise<IcaAnswer> {
  requireSamples("ica", A, p);
  requireOneOf("contrast", contrast, contrasts);
  requireOneOf("sum", sum, sums);
  const { gaussian } = contrasts[contrast];
  return withEngine(o.engine, async (E) => {
    const m = A.rows;
    const { data, centre } = prepared(A, columnMeans(A), false);
    const D = tallOf(E, data);
    const { whitening, dewhitening } = whiteners(E, D, p);
    const white = E.tall(m, p);
    E.mul(white, D, whitening);
    const { f, precondition, fixedPoint } = negentropy(E, plainOf(E, white), contrast, sum);
    const first = fastSteps(E, p, fixedPoint);
    const from = randomStarts("ica", starts).map((_, i) => first(randomStart(E, p, p, (o.seed ?? 1) + i)));
    const begun = from.map(({ X }) => X);
    const run = await bestOf(E, f, begun, inPairMetric(o, precondition));
    const steps = from.map(({ steps }) => steps).join(" + ");
    run.notes.push(`${steps} steps of FastICA before the runs, an evaluation each, are not in the counts`);

    const [unmixing, mixing, sources] = [E.small(A.cols, p), E.small(A.cols, p), E.tall(m, p)];
    const X = smallOf(E, run.X);
    E.mul(unmixing, whitening, X);
    E.mul(mixing, dewhitening, X);
    E.mul(sources, D, unmixing);
    const [U, M, S] = [plainOf(E, unmixing), plainOf(E, mixing), plainOf(E, sources)];
    const distance = excess(S, contrast === "logcosh" ? logcoshOf : (y) => y ** 4, gaussian);
    const order = byFalling(distance.map(Math.abs));
    const signs = peakSigns(columns(M, order));
    const arranged = (B: Matrix): Matrix => scaleColumns(columns(B, order), signs);
    return {
      sources: arranged(S),
      unmixing: arranged(U),
      mixing: arranged(M),
      contrasts: order.map((j) => distance[j]!),
      centre,
      run,
    };
  });
}

/** The steps X ← polar(fixedPoint(X)) from a start, whose matrix is overwritten */
function fastSteps(E: Engine, p: number, fixedPoint: (Y: Tall, X: Tall) => void) {
  const project = polar(E, p, p);
  const [Y, Z, S, cosines] = [E.tall(p, p), E.tall(p, p), E.small(p, p), new Float64Array(p * p)];
  return (X: Tall): { X: Matrix; steps: number } => {
    let steps = 0;
    for (let turned = 1; turned > TURN && steps < MOST_STEPS; steps++) {
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

function requireOneOf(option: string, value: string, known: object): void {
  if (Object.hasOwn(known, value)) return;
  throw new ProblemError(`ica: ${option} is '${value}'; it must be one of ${Object.keys(known).join(", ")}.`);
}

/** C = VΛVᵀ the covariance; whitening VΛ^(−½) and its counterpart VΛ^(½), of the p largest eigenvalues */
function whiteners(E: Engine, D: Tall, p: number): { whitening: Small; dewhitening: Small } {
  const C = E.small(D.cols, D.cols);
  E.gram(C, D);
  const { values, vectors } = eigh(E, C);
  const order = Array.from({ length: p }, (_, j) => D.cols - 1 - j);
  const deviations = order.map((j) => Math.sqrt(Math.max(0, values[j]! / D.rows)));
  // eigenvalues of C that are 0 are known to about n·ε of the largest
  const nothing = Math.sqrt(4 * D.cols * EPS) * deviations[0]!;
  const rank = deviations.filter((v) => v > nothing).length;
  if (rank < p) {
    throw new ProblemError(
      rank === 0
        ? "ica: all samples are the same; there is nothing to separate."
        : `ica: the data has only ${rank} independent directions; ask for p = ${rank} or fewer sources.`,
    );
  }
  const V = columns(plainOf(E, vectors), order);
  const inverse = deviations.map((v) => 1 / v);
  return {
    whitening: smallOf(E, scaleColumns(V, inverse)),
    dewhitening: smallOf(E, scaleColumns(V, deviations)),
  };
}

function excess({ rows, cols, data }: Matrix, G: (y: number) => number, gaussian: number): number[] {
  const mean = new Array<number>(cols).fill(-gaussian);
  for (let k = 0; k < data.length; k++) mean[k % cols]! += G(data[k]!) / rows;
  return mean;
}
