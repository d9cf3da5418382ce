import { withEngine } from "../engines/open.js";
import { ProblemError } from "../problems/problem.js";
import { varianceForm } from "../problems/variance.js";
import { quadraticObjective } from "../quadratic-objective.js";
import { drain, solveStiefel } from "../stiefel.js";
import type { Matrix, Nonsmooth } from "../types.js";
import {
  type Application,
  type ApplicationOptions,
  byFalling,
  columns,
  image,
  withoutEngine,
  withPositivePeaks,
} from "./application.js";
import { columnMeans, prepared, requireSamples } from "./columns.js";
import { topSubspace } from "./top-subspace.js";

export interface SparsePcaOptions extends Omit<ApplicationOptions, "solver" | "finish"> {
  p: number;
  /** of the norm against the variance −½‖ÂX‖²/(m − 1); 0 gives principal components */
  weight: number;
  /** l1: single zeros; l21: zero rows, variables that no component uses */
  kind?: Nonsmooth["kind"];
  centre?: boolean;
  standardise?: boolean;
}

export interface SparsePcaAnswer extends Application {
  /** n×p, orthonormal to rounding, which fills the zeros with about 1e-16 */
  components: Matrix;
  /** rows of the entries that are not zero, component by component */
  support: number[][];
  /** share of zero entries */
  zeros: number;
  /** variance along each component */
  variances: number[];
  /** −½‖ÂX‖²/(m − 1) + weight·r(X) */
  value: number;
}

/**
 * Orthonormal components with few entries: min −½‖ÂX‖²/(m − 1) + weight·r(X), r(X) = Σ|X_ij| or Σ_i‖row i of X‖, by the proximal method
 * `slpg` from the principal subspace. The zeros are entries of the method's iterate at most 1e-8, before the last projection.
 */
export async function sparsePca(
  A: Matrix,
  { p, weight, kind = "l1", centre = true, standardise = false, ...o }: SparsePcaOptions,
): Promise<SparsePcaAnswer> {
  requireSamples("sparse-pca", A, p);
  if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
    throw new ProblemError(`sparse-pca: weight is ${weight}; it must be 0 or a positive number.`);
  }
  return withEngine(o.engine, async (E) => {
    const [m, n] = [A.rows, A.cols];
    const { data } = prepared(A, centre ? columnMeans(A) : new Float64Array(n), standardise);
    const f = quadraticObjective(E, n, p, varianceForm(E, data, p, 1 / (m - 1), n <= 2 * m));
    const run = await drain(
      solveStiefel(E, f, {
        ...withoutEngine(o),
        solver: "slpg",
        nonsmooth: { kind, weight },
        start: topSubspace(E, data, p),
      }),
    );

    const along = new Array<number>(p).fill(0);
    E.read(image(E, E.operator(data), run.X)).forEach((w, k) => {
      along[k % p]! += (w * w) / (m - 1);
    });
    const order = byFalling(along);
    const { pattern, zeros } = run.sparsity!;
    return {
      components: withPositivePeaks(columns(run.X, order)),
      support: order.map((j) => Array.from({ length: n }, (_, i) => i).filter((i) => pattern[i * p + j])),
      zeros: zeros / (n * p),
      variances: order.map((j) => along[j]!),
      value: run.fval,
      run,
    };
  });
}
