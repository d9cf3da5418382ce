import { add, compile, mul, norm2, scale, smoothAbs, sum } from "../autodiff/index.js";
import { nonsmoothStationarity } from "../penalty/tangent-prox.js";
import { ProblemError } from "../problems/problem.js";
import { drain, type Result, solveStiefel } from "../stiefel.js";
import type { Matrix } from "../types.js";
import {
  type Application,
  type ApplicationOptions,
  byFalling,
  columns,
  engineOf,
  withoutEngine,
  withPositivePeaks,
} from "./application.js";
import { columnMeans, prepared, requireSamples } from "./columns.js";
import { topSubspace } from "./robust-pca.js";

export interface SparsePcaOptions extends ApplicationOptions {
  p: number;
  /** of Σ|X_ij| against the variance −½‖ÂX‖²/(m − 1); 0 gives principal components */
  weight: number;
  centre?: boolean;
  standardise?: boolean;
  /** |x| is smoothed to √(x² + ε²) with this ε at the end, reached in three steps from 100·ε */
  epsilon?: number;
}

export interface SparsePcaAnswer extends Application {
  /** n×p, orthonormal; what is not in the support is about ε in size */
  components: Matrix;
  /** rows of the entries above 20·ε, component by component */
  support: number[][];
  /** share of entries outside the support */
  zeros: number;
  /** variance along each component */
  variances: number[];
  /** −½‖ÂX‖²/(m − 1) + weight·Σ|X_ij| without the smoothing */
  value: number;
  /** how far the components are from stationary for that function, by its proximal step (0: stationary) */
  nonsmoothStationarity: number;
}

/**
 * Orthonormal components with few entries: min −½‖ÂX‖²/(m − 1) + weight·Σ√(X_ij² + ε²), ε falling from run to run. An entry whose
 * partial derivative g without the norm has |g| < weight ends at |x| = ε·|g|/√(weight² − g²): zero, up to the smoothing. The
 * certificate is about the smoothed function of the last ε, which is within weight·np·ε of the other.
 */
export async function sparsePca(
  A: Matrix,
  { p, weight, centre = true, standardise = false, epsilon = 1e-5, ...o }: SparsePcaOptions,
): Promise<SparsePcaAnswer> {
  requireSamples("sparse-pca", A, p);
  for (const [what, value, strict] of [
    ["weight", weight, false],
    ["epsilon", epsilon, true],
  ] as const) {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY && !(strict && value === 0))) {
      throw new ProblemError(`sparse-pca: ${what} is ${value}; it must be ${strict ? "" : "0 or "}a positive number.`);
    }
  }
  const E = await engineOf(o);
  const [m, n] = [A.rows, A.cols];
  const { data } = prepared(A, centre ? columnMeans(A) : new Float64Array(n), standardise);
  const half = -0.5 / (m - 1);
  const variance = compile(E, { n, p }, (X) => scale(half, norm2(mul(data, X))));
  let X = topSubspace(E, data, p);
  let run: Result | undefined;
  for (const e of [100 * epsilon, 10 * epsilon, epsilon]) {
    const f = compile(E, { n, p }, (X) => add(scale(half, norm2(mul(data, X))), scale(weight, sum(smoothAbs(X, e)))));
    run = await drain(solveStiefel(E, f, { ...withoutEngine(o), start: X }));
    X = run.X;
    if (run.reason.kind === "aborted") break;
  }

  const W = E.matrix(m, p);
  E.mul(W, E.from(data), E.from(X));
  const along = Array.from({ length: p }, (_, j) => {
    let s = 0;
    for (let i = 0; i < m; i++) s += W.data[i * p + j]! ** 2;
    return s / (m - 1);
  });
  const order = byFalling(along);
  const components = withPositivePeaks(columns(X, order));
  const support = order.map((_, j) =>
    Array.from({ length: n }, (_, i) => i).filter((i) => Math.abs(components.data[i * p + j]!) > 20 * epsilon),
  );
  return {
    components,
    support,
    zeros: 1 - support.reduce((s, rows) => s + rows.length, 0) / (n * p),
    variances: order.map((j) => along[j]!),
    value: half * E.dot(W, W) + weight * X.data.reduce((s, v) => s + Math.abs(v), 0),
    nonsmoothStationarity: nonsmoothStationarity(E, variance, E.from(X), { kind: "l1", weight }),
    run: run!,
  };
}
