import { randomStart } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { HostMatrix, Matrix } from "@expen/linalg";
import {
  anything,
  bool,
  checkData,
  either,
  finite,
  type MatrixLike,
  matrixOf,
  oneOf,
  ProblemError,
  plain,
  random,
  whole,
} from "@expen/linalg";
import {
  type Application,
  type ApplicationOptions,
  bestOf,
  byFalling,
  columns,
  image,
  isAborted,
  optionsOf,
  plainOf,
  scaleColumns,
} from "./application.js";
import { overflow, squareSum } from "./columns.js";
import { type Description, describe, row } from "./description.js";
import { factorScores, type ScoreMethod, scoreMethods } from "./factor-scores.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { orthomax } from "./orthomax.js";
import { COARSE, FINE, orthomaxCriterion, sweepPlanes, turnedAtRandom, unrotated } from "./orthomax-planes.js";
import { inPairMetric } from "./pair-metric.js";
import { samplesOf } from "./samples.js";

/** γ of the orthomax family for v variables and k factors */
export const rotationKinds = {
  varimax: (): number => 1,
  quartimax: (): number => 0,
  equamax: (_v: number, k: number): number => k / 2,
  parsimax: (v: number, k: number): number => (v * (k - 1)) / (v + k - 2),
  "factor-parsimony": (v: number): number => v,
} as const;

/** The criteria of a rotation of factors: varimax, quartimax and others */
export type RotationKind = keyof typeof rotationKinds;

/** Options of `factorRotation`: the criterion, Kaiser's normalisation, factor scores, and the run */
export interface FactorRotationOptions extends ApplicationOptions {
  /** a member of the orthomax family by name or by its γ */
  kind?: RotationKind | number;
  /** Kaiser's normalisation: rows have length 1 during the rotation */
  normalise?: boolean;
  /** another spelling of `normalise` */
  normalize?: boolean;
  /** number of starts of plane rotations, the identity and random ones; the run continues the best; default 4, or 8 if v·k² is small */
  starts?: number;
  /** samples of the v variables, one a row: the answer then has their factor scores, and `transform` those of others */
  data?: MatrixLike;
  /** of factor scores: "regression" (Thurstone; the default) has the least variance, "bartlett" no bias */
  method?: ScoreMethod;
}

/** The rotated loadings of `factorRotation`; with samples, a model that computes factor scores */
export interface FactorRotationAnswer extends Application, Model {
  /** v×k = L·rotation, columns by decreasing sum of squares and with positive sum */
  loadings: HostMatrix;
  /** k×k orthogonal */
  rotation: HostMatrix;
  /** Σ_ij Λ_ij⁴ − (γ/v) Σ_j (Σ_i Λ_ij²)² of the (normalised) rotated loadings, the maximised criterion */
  criterion: number;
  /** sum of squares of each column */
  variances: number[];
  gamma: number;
  /** with `data`: m×k factor scores, and the v×k coefficients of the standardised variables in them */
  scores?: HostMatrix;
  coefficients?: HostMatrix;
  centre?: Float64Array;
  scale?: Float64Array;
}

/** gradient norm to reach, for a criterion of size 1 or more */
const TOL = 1e-6;
/** v·k² below which plane rotations from one start take microseconds, so that twice as many starts are affordable */
const SMALL_PROBLEM = 5000;
const defaultStarts = (L: Matrix): number => (L.rows * L.cols ** 2 < SMALL_PROBLEM ? 8 : 4);

/**
 * Orthogonal rotation of a loading matrix L (v variables × k factors) to simple structure: max of the orthomax criterion over L·X. The
 * maximum in the plane of two factors has a closed form: sweeps over all planes quickly lead from each start near a local maximum, and
 * the run starts at the highest one. With the option `solver` that solver runs from each start instead.
 */
export async function factorRotation(
  source: MatrixLike,
  options: FactorRotationOptions = {},
): Promise<FactorRotationAnswer> {
  const {
    kind = "varimax",
    normalise = true,
    starts: count,
    data,
    method = "regression",
    ...o
  } = optionsOf("factor-rotation", options, {
    kind: either(oneOf(Object.keys(rotationKinds)), finite),
    normalise: bool,
    starts: whole(1),
    data: anything,
    method: oneOf(scoreMethods),
  });
  const L = matrixOf("factor-rotation", "L", source);
  const { rows: v, cols: k } = L;
  const starts = count ?? defaultStarts(L);
  const A = data === undefined ? undefined : samplesOf("factor-rotation", data, {}, (n) => n).A;
  if (A && A.cols !== v) {
    throw new ProblemError(
      `factor-rotation: the data have ${A.cols} columns, L has ${v} rows; give one for each variable.`,
    );
  }
  if (A) checkData("factor-rotation", "the data", A, A.rows, v);
  if (v < 2) throw new ProblemError(`factor-rotation: L has ${v} rows; at least 2 variables are needed.`);
  checkData("factor-rotation", "L", L, v, k);
  if (typeof kind !== "number" && !Object.hasOwn(rotationKinds, kind)) {
    const names = Object.keys(rotationKinds).join(", ");
    throw new ProblemError(`factor-rotation: kind is '${kind}'; it must be one of ${names}, or a number γ.`);
  }
  if (!(starts >= 1)) throw new ProblemError(`factor-rotation: starts is ${starts}; it must be 1 or more.`);
  const gamma = typeof kind === "number" ? kind : rotationKinds[kind](v, k);
  return withEngine(o.engine, async (E) => {
    const rows = normalise ? unitRows(L) : L;
    const { f, precondition } = orthomax(E, rows, gamma);
    const { seed = 1 } = o;
    const size = orthomaxCriterion(unrotated(rows.data, v, k), v, 0);
    if (!(size + squareSum(L) < Number.POSITIVE_INFINITY)) throw overflow("factor-rotation", "L");
    const from = o.solver
      ? Array.from({ length: starts }, (_, i) => (i === 0 ? identity(k) : plainOf(E, randomStart(E, k, k, seed + i))))
      : [isAborted(o) ? identity(k) : byPlanes(rows, gamma / v, starts, seed)];
    // relative to the terms of f, which may cancel: the gradient after the sweeps is no measure of their size
    const tol = o.relTol === undefined && size > 0 ? { tol: TOL * Math.min(1, size) } : {};
    const run = await bestOf(E, f, from, { ...tol, ...inPairMetric(o, precondition) });

    const rotated = plainOf(E, image(E, E.operator(L), run.X));
    const sums = new Array<number>(k).fill(0);
    const squares = new Array<number>(k).fill(0);
    rotated.data.forEach((x, e) => {
      sums[e % k]! += x;
      squares[e % k]! += x * x;
    });
    const order = byFalling(squares);
    const signs = order.map((j) => (sums[j]! < 0 ? -1 : 1));
    const loadings = scaleColumns(columns(rotated, order), signs);
    return modelOf("rotation", {
      loadings,
      ...(A && { names: A.names, ...factorScores(E, A, loadings, method) }),
      rotation: scaleColumns(columns(run.X, order), signs),
      criterion: -4 * run.fval,
      variances: order.map((j) => squares[j]!),
      gamma,
      run,
    });
  });
}

/** The rotation with the highest criterion among the results of plane rotations from all starts */
function byPlanes({ rows: v, cols: k, data }: Matrix, weight: number, starts: number, seed: number): Matrix {
  const first = unrotated(data, v, k);
  const r = random(seed, "planes");
  let [columns, highest] = [first, Number.NEGATIVE_INFINITY];
  for (let i = starts; i > 0; i--) {
    // the last start is the identity, whose columns are overwritten
    const end = i > 1 ? turnedAtRandom(first, r) : first;
    sweepPlanes(end, v, weight, COARSE);
    const criterion = orthomaxCriterion(end, v, weight);
    if (criterion > highest) [columns, highest] = [end, criterion];
  }
  sweepPlanes(columns, v, weight, FINE);
  const X = plain(k, k);
  columns.forEach((column, j) => {
    for (let a = 0; a < k; a++) X.data[a * k + j] = column[v + a]!;
  });
  return X;
}

/** Rows divided by their lengths; zero rows stay */
function unitRows({ rows, cols, data }: Matrix): Matrix {
  const unit = plain(rows, cols);
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * cols, (i + 1) * cols);
    let squares = 0;
    for (let j = 0; j < cols; j++) squares += row[j]! * row[j]!;
    // hypot is ten times slower, but neither overflows nor underflows
    const length = squares > 1e-200 && squares < 1e200 ? Math.sqrt(squares) : Math.hypot(...row) || 1;
    for (let j = 0; j < cols; j++) unit.data[i * cols + j] = row[j]! / length;
  }
  return unit;
}

function identity(k: number): Matrix {
  const I = plain(k, k);
  for (let j = 0; j < k; j++) I.data[j * (k + 1)] = 1;
  return I;
}

export const description: Description = describe({
  name: "rotation",
  summary: "orthogonal factor rotation of a loading matrix",
  files: [
    { name: "loadings", help: "variables × factors" },
    { name: "data", help: "samples of the variables, one a row, whose factor scores are wanted", optional: true },
  ],
  options: [
    {
      name: "kind",
      type: "choice",
      help: "criterion of the orthomax family",
      choices: /* @__PURE__ */ Object.keys(rotationKinds),
    },
    { name: "method", type: "choice", help: "method of the factor scores", choices: scoreMethods },
  ],
  example: "loadings.csv --kind varimax --out rotated.csv",
  parts: ["loadings", "rotation", "scores", "coefficients"],
  points: "scores",
  solve: ([L, data]: [Matrix, Matrix?], o: FactorRotationOptions) => factorRotation(L, { ...o, ...(data && { data }) }),
  report: ({ loadings, criterion, variances }) => ({
    saved: { name: "rotated loadings", matrix: loadings },
    lines: [
      ["orthomax criterion", row([criterion], 8)],
      ["sum of squares, per factor", row(variances)],
    ],
    numbers: { criterion, variances },
  }),
});
