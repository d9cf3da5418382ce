import { colSums, compile, logcosh, mul, neg, norm2, pow, scale, sub } from "../autodiff/index.js";
import { logcosh as logcoshOf } from "../engines/elementwise/operations.js";
import { withEngine } from "../engines/open.js";
import { smallOf, tallOf } from "../engines/own-matrix.js";
import { eigh } from "../linalg/eigh.js";
import { ProblemError } from "../problems/problem.js";
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
  withoutEngine,
} from "./application.js";
import { columnMeans, prepared, requireSamples } from "./columns.js";

/** G with E G(ν) for a standard normal ν */
const contrasts = {
  logcosh: { G: logcosh, gaussian: 0.374567207491438 },
  kurtosis: { G: (Y: Parameters<typeof pow>[0]) => pow(Y, 4), gaussian: 3 },
} as const;

export interface IcaOptions extends ApplicationOptions {
  /** how many sources; default: as many as columns */
  p?: number;
  /** logcosh: little moved by outliers; kurtosis: the fourth cumulant */
  contrast?: keyof typeof contrasts;
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
 * the negentropy approximation of Hyvärinen (1999) that FastICA climbs; heavy and light tails need not be known beforehand.
 */
export async function ica(
  A: Matrix,
  { p = A.cols, contrast = "logcosh", starts = 3, ...o }: IcaOptions = {},
): Promise<IcaAnswer> {
  requireSamples("ica", A, p);
  if (!Object.hasOwn(contrasts, contrast)) {
    throw new ProblemError(`ica: contrast is '${contrast}'; it must be one of ${Object.keys(contrasts).join(", ")}.`);
  }
  const { G, gaussian } = contrasts[contrast];
  return withEngine(o.engine, async (E) => {
    const m = A.rows;
    const { data, centre } = prepared(A, columnMeans(A), false);
    const D = tallOf(E, data);
    const { whitening, dewhitening } = whiteners(E, D, p);
    const white = E.tall(m, p);
    E.mul(white, D, whitening);
    const Z = plainOf(E, white);
    const normal: Matrix = { rows: 1, cols: p, data: new Float64Array(p).fill(gaussian) };
    const f = compile(E, { n: p, p }, (X) => neg(norm2(sub(scale(1 / m, colSums(G(mul(Z, X)))), normal))));
    const run = await bestOf(E, f, randomStarts("ica", starts), withoutEngine(o));

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

/** C = VΛVᵀ the covariance; whitening VΛ^(−½) and its counterpart VΛ^(½), of the p largest eigenvalues */
function whiteners(E: Engine, D: Tall, p: number): { whitening: Small; dewhitening: Small } {
  const C = E.small(D.cols, D.cols);
  E.gram(C, D);
  const { values, vectors } = eigh(E, C);
  const order = Array.from({ length: p }, (_, j) => D.cols - 1 - j);
  const deviations = order.map((j) => Math.sqrt(Math.max(0, values[j]! / D.rows)));
  const rank = deviations.filter((v) => v > 1e-8 * deviations[0]!).length;
  if (rank < p) {
    throw new ProblemError(
      `ica: the data has only ${rank} independent directions; ask for p = ${rank} or fewer sources.`,
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
