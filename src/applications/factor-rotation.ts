import { withEngine } from "../engines/open.js";
import { checkData, ProblemError, requireMatrices } from "../problems/problem.js";
import { randomStart } from "../run/start.js";
import type { Matrix } from "../types.js";
import {
  type Application,
  type ApplicationOptions,
  bestOf,
  byFalling,
  columns,
  image,
  plainOf,
  scaleColumns,
} from "./application.js";
import { orthomax } from "./orthomax.js";
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
  /** the identity and so many seeded starts less one, the best of which is taken */
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

/** Orthogonal rotation of a loading matrix L (v variables × k factors) to simple structure: max of the orthomax criterion over L·X. */
export async function factorRotation(
  L: Matrix,
  { kind = "varimax", normalise = true, starts = 4, ...o }: FactorRotationOptions = {},
): Promise<FactorRotationAnswer> {
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
    const lengths = Array.from({ length: v }, (_, i) => Math.hypot(...L.data.subarray(i * k, (i + 1) * k)));
    const rows = normalise ? { ...L, data: L.data.map((x, e) => x / (lengths[Math.floor(e / k)]! || 1)) } : L;
    const { f, precondition } = orthomax(E, rows, gamma);
    const { seed = 1 } = o;
    const given = Array.from({ length: starts }, (_, i) =>
      i === 0 ? identity(k) : plainOf(E, randomStart(E, k, k, seed + i)),
    );
    const run = await bestOf(E, f, given, inPairMetric(o, precondition));

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

function identity(k: number): Matrix {
  const I = { rows: k, cols: k, data: new Float64Array(k * k) };
  for (let j = 0; j < k; j++) I.data[j * (k + 1)] = 1;
  return I;
}
