import { withEngine } from "@expen/engines";
import type { HostMatrix, Matrix } from "@expen/linalg";
import { checkData, digits, type MatrixLike, oneOf, ProblemError, positive, whole } from "@expen/linalg";
import { add, compile, entrywise as hadamard, identity, mul, rowSums, scale, sqrt, sub, sum, t } from "@expen/tape";
import { type Application, bestOf, image, isAborted, optionsOf, plainOf, ritz } from "./application.js";
import { columnMeans, geometricMedian, overflow, prepared } from "./columns.js";
import { columnsOption, type Description, describe, SAMPLES } from "./description.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";
import { topSubspace } from "./top-subspace.js";

const centres = ["median", "mean", "none"] as const;
/** Weight, from 1, below which a sample is reported as an outlier: its distance is above 10δ. */
const OUTLIER = 0.1;

/** Options of `robustPca`: the number of components, the centre, the scale of outliers, and the run */
export interface RobustPcaOptions extends SampleOptions {
  /** number of components */
  p: number;
  /** median: the geometric median, which is robust against outliers */
  centre?: (typeof centres)[number];
  /** another spelling of `centre` */
  center?: (typeof centres)[number];
  /** δ: distances well below it count squared, well above it linearly; default: a tenth of the median distance from the centre */
  delta?: number;
}

/** The components of `robustPca`, a model that scores other samples, with the weight of each sample */
export interface RobustPcaAnswer extends Application, Model {
  /** n×p, orthonormal, by decreasing weighted variance */
  components: HostMatrix;
  /** coordinates of the centred samples, m×p */
  scores: HostMatrix;
  centre: Float64Array;
  /** distance of each sample from the subspace */
  distances: Float64Array;
  /** weight of each sample, δ/√(distance² + δ²): 1 in the subspace, near 0 for outliers */
  weights: Float64Array;
  delta: number;
}

/**
 * The p-dimensional subspace with the least sum of distances from the samples, not of their squares, smoothed at δ:
 *
 *     f(X) = (1/m) Σ_i √(‖a_i − XXᵀa_i‖² + δ²),     ‖a − XXᵀa‖² = ‖a‖² + w(XᵀX − 2I)wᵀ,  w = aᵀX,
 *
 * which is smooth on all of ℝⁿˣᵖ. The influence of a sample, however far, is at most 1/m. Runs start at the principal subspaces of
 * the samples and of the samples on the unit sphere (spherical components); the lower value wins.
 */
export async function robustPca(
  source: MatrixLike,
  options: RobustPcaOptions = {} as RobustPcaOptions,
): Promise<RobustPcaAnswer> {
  const {
    p,
    centre: kind = "median",
    delta,
    columns,
    gaps,
    ...o
  } = optionsOf("robust-pca", options, {
    p: whole(1),
    centre: oneOf(centres),
    delta: positive,
    ...sampleSchema,
  });
  const { A, notes } = samplesOf("robust-pca", source, { columns, gaps }, () => p);
  checkData("robust-pca", "A", A, A.rows, A.cols);
  const [m, n] = [A.rows, A.cols];
  const centre = kind === "median" ? geometricMedian(A) : kind === "mean" ? columnMeans(A) : new Float64Array(n);
  const { data } = prepared(A, centre, false);
  const squares = rowSquares(data);
  if (!squares.every(Number.isFinite)) throw overflow("robust-pca", "A");
  if (p === n) {
    throw new ProblemError(
      `robust-pca: p = ${p} are all columns, so that no sample is off the subspace; ask for fewer, or take pca.`,
    );
  }
  const d = delta ?? 0.1 * Math.sqrt(squares.toSorted()[m >> 1]!);
  if (!(d > 0)) {
    throw new ProblemError(
      "robust-pca: half of the samples or more coincide; give delta, the distance from which a sample is far.",
    );
  }
  return withEngine(o.engine, async (E) => {
    const offset: Matrix = { rows: m, cols: 1, data: squares.map((s) => s + d * d) };
    const f = compile(E, { n, p }, (X) => {
      const W = mul(data, X);
      const inside = hadamard(W, mul(W, sub(mul(t(X), X), scale(2, identity(p)))));
      return scale(1 / m, sum(sqrt(add(rowSums(inside), offset))));
    });
    const onSphere = { ...data, data: data.data.map((v, k) => v / (Math.sqrt(squares[Math.floor(k / n)]!) || 1)) };
    const starts = isAborted(o) ? [undefined] : [topSubspace(E, data, p), topSubspace(E, onSphere, p)];
    const run = await bestOf(E, f, starts, o);
    run.notes.push(...notes);

    const AX = image(E, E.operator(data), run.X);
    const inside = rowSquares(plainOf(E, AX));
    // ‖a‖² − ‖Xᵀa‖² loses digits of distances far below δ, where they have no influence
    const distances = squares.map((s, i) => Math.sqrt(Math.max(0, s - inside[i]!)));
    const weights = distances.map((r) => d / Math.hypot(r, d));
    const [weighted, S] = [E.tall(m, p), E.small(p, p)];
    E.scaleRows(weighted, E.tall(m, 1, weights.map(Math.sqrt)), AX);
    E.gram(S, weighted);
    const components = ritz(E, run.X, S).basis;
    const scores = plainOf(E, image(E, E.operator(data), components));
    return modelOf("robust-pca", { names: A.names, components, scores, centre, distances, weights, delta: d, run });
  });
}

function rowSquares({ rows, cols, data }: Matrix): Float64Array {
  const squares = new Float64Array(rows);
  for (let k = 0; k < data.length; k++) squares[Math.floor(k / cols)]! += data[k]! ** 2;
  return squares;
}

export const description: Description = describe({
  name: "robust-pca",
  summary: "principal components robust against outliers",
  files: [SAMPLES],
  options: [
    columnsOption("number of components"),
    { name: "delta", type: "number", help: "distance from which a sample counts linearly, not squared" },
    { name: "centre", type: "choice", help: "centre that is subtracted", choices: centres },
  ],
  example: "data.csv --p 2 --out scores.csv --report pca.html",
  parts: ["components", "scores"],
  points: "scores",
  solve: ([A]: [Matrix], o: RobustPcaOptions) => robustPca(A, o),
  report({ components, delta, weights }) {
    const outliers = [...weights.keys()].filter((i) => weights[i]! < OUTLIER);
    return {
      saved: { name: "components", matrix: components },
      lines: [
        ["δ, limit of squared distances", digits(delta)],
        ["outliers, weight below 0.1", outliers.length > 0 ? `rows ${outliers.slice(0, 20).join(", ")}` : "none"],
      ],
      numbers: { delta, outliers, weights: Array.from(weights) },
    };
  },
});
