import { randomStart } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Matrix } from "@expen/linalg";
import {
  bool,
  checkData,
  either,
  finite,
  oneOf,
  ProblemError,
  plain,
  random,
  requireMatrices,
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
import { describe, row } from "./description.js";
import { orthomax } from "./orthomax.js";
import { COARSE, FINE, orthomaxCriterion, sweepPlanes, turnedAtRandom, unrotated } from "./orthomax-planes.js";
import { inPairMetric } from "./pair-metric.js";

/** γ of the orthomax family for v variables and k factors */
export const rotationKinds = {
  varimax: () => 1,
  quartimax: () => 0,
  equamax: (_v: number, k: number) => k / 2,
  parsimax: (v: number, k: number) => (v * (k - 1)) / (v + k - 2),
  "factor-parsimony": (v: number) => v,
} as const;

export type RotationKind = keyof typeof rotationKinds;

export interface FactorRotationOptions extends ApplicationOptions {
  /** a member of the orthomax family by name or by its γ */
  kind?: RotationKind | number;
  /** rotate rows of length 1 (Kaiser), then give them their lengths back */
  normalise?: boolean;
  normalize?: boolean;
  /** the identity and so many seeded ones less one; the run goes on from the best end of their plane rotations. 4; 8 for few loadings */
  starts?: number;
}

export interface FactorRotationAnswer extends Application {
  /** v×k = L·rotation, by falling sum of squares, each column with positive sum */
  loadings: Matrix;
  /** k×k orthogonal */
  rotation: Matrix;
  /** Σ_ij Λ_ij⁴ − (γ/v) Σ_j (Σ_i Λ_ij²)² of the (normalised) rotated loadings, which was maximised */
  criterion: number;
  /** sum of squares of each column */
  variances: number[];
  gamma: number;
}

const TOL = 1e-6;
/** With v·k² below this, plane rotations from a start take some microseconds. */
const FEW = 5000;
const defaultStarts = (L?: Matrix): number => (L && L.rows * L.cols ** 2 < FEW ? 8 : 4);

/**
 * Orthogonal rotation of a loading matrix L (v variables × k factors) to simple structure: max of the orthomax criterion over L·X. The
 * maximum in the plane of two factors is known: all planes in turn come near to one of the whole from each start, quickly, and the run
 * goes on from the highest. A solver that is named runs from each start instead.
 */
export async function factorRotation(L: Matrix, given: FactorRotationOptions = {}): Promise<FactorRotationAnswer> {
  const {
    kind = "varimax",
    normalise = true,
    starts = defaultStarts(L),
    ...o
  } = optionsOf("factor-rotation", given, {
    kind: either(oneOf(Object.keys(rotationKinds)), finite),
    normalise: bool,
    starts: whole(1),
  });
  requireMatrices("factor-rotation", { L });
  const { rows: v, cols: k } = L;
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
    // of the size of f's terms: the gradient where planes end tells nothing of it, and they may cancel
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
    return {
      loadings: scaleColumns(columns(rotated, order), signs),
      rotation: scaleColumns(columns(run.X, order), signs),
      criterion: -4 * run.fval,
      variances: order.map((j) => squares[j]!),
      gamma,
      run,
    };
  });
}

/** Where plane rotations lead to from the start whose maximum is the highest */
function byPlanes({ rows: v, cols: k, data }: Matrix, weight: number, starts: number, seed: number): Matrix {
  const first = unrotated(data, v, k);
  const r = random(seed, "planes");
  let [columns, highest] = [first, Number.NEGATIVE_INFINITY];
  for (let i = starts; i > 0; i--) {
    // the last one is the identity, whose columns are turned themselves
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

/** Rows of length 1, but for those that are 0 */
function unitRows({ rows, cols, data }: Matrix): Matrix {
  const unit = plain(rows, cols);
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * cols, (i + 1) * cols);
    let squares = 0;
    for (let j = 0; j < cols; j++) squares += row[j]! * row[j]!;
    // hypot takes ten times as long, and is right where squares are not
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

export const description = describe({
  name: "rotation",
  summary: "orthogonal factor rotation of a loading matrix",
  files: [{ name: "loadings", help: "variables × factors" }],
  options: [{ name: "kind", type: "choice", help: "of the orthomax family", choices: Object.keys(rotationKinds) }],
  solve: ([L]: [Matrix], o: FactorRotationOptions) => factorRotation(L, o),
  report: ({ loadings, criterion, variances }) => ({
    saved: { name: "rotated loadings", matrix: loadings },
    lines: [
      ["criterion", row([criterion], 8)],
      ["variances", row(variances)],
    ],
    numbers: { criterion, variances },
  }),
});
