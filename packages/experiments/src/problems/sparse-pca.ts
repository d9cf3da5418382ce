/** Sparse principal components: variance minus a sparsity-inducing norm, which is data for solvers with proximal maps. */

import type { Nonsmooth } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { amount, bool, checkData, checkFinite, gaussian, matrix, oneOf, random, whole } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { centred, topEigenvalues, varianceOf, varianceParts } from "./pca.js";
import {
  checkShape,
  LARGEST_EIGENPROBLEM,
  lazy,
  type Problem,
  type ProblemOptions,
  problemOptions,
  refuseBeside,
} from "./problem.js";

interface SparsePcaOptions extends ProblemOptions {
  /** m×n, one sample a row; Gaussian if absent */
  A?: Matrix;
  /** number of seeded samples */
  m?: number;
  /** l1: single zeros; l21: zero rows, the same for all components */
  kind?: Nonsmooth["kind"];
  /** weight of the norm, for columns of A of length 1 */
  weight?: number;
  /** form the n×n matrix AᵀA; default: if that makes evaluations cheaper, n ≤ 2m */
  covariance?: boolean;
}

export const sparsePcaDefaults = { m: 50, kind: "l1", weight: 0.4 } as const;

/** Memory: A as given, centred, with columns of length 1, and in the engine */
export const sparsePcaParts = (o: SparsePcaOptions): Part[] => varianceParts(o, o.m ?? sparsePcaDefaults.m, 4);

/**
 * min −½‖ÂX‖² + weight·r(X),  r(X) = Σ|X_ij| or Σ_i‖X_i‖₂,  Â = A with columns centred and divided by their lengths
 *
 * `objective` is the smooth part. The instance is that of [Chen, Ma, So and Zhang 2020] (there without the ½: μ = 2·weight).
 * weight = 0: f* as for principal components.
 */
export function sparsePca(E: Engine, user: SparsePcaOptions): Problem {
  const kinds = { A: matrix, m: whole(2), kind: oneOf(["l1", "l21"]), weight: amount, covariance: bool };
  const options = problemOptions("sparse-pca", user, kinds);
  refuseBeside("sparse-pca", { A: options.A }, { m: options.m });
  const { n, p, seed = 1, m = sparsePcaDefaults.m, kind = sparsePcaDefaults.kind } = options;
  const { weight = sparsePcaDefaults.weight } = options;
  checkShape(E, "sparse-pca", options, sparsePcaParts);
  checkFinite("sparse-pca", "weight", weight);
  const raw = options.A ?? gaussian(m, n, random(seed, "sparse-pca A"));
  checkData("sparse-pca", "A", raw, raw.rows, n);
  const data = withUnitColumns(centred(raw));
  const optimum = lazy(() => -0.5 * topEigenvalues(E, data, p));
  return {
    name: "sparse-pca",
    title: `f(X) = −½‖AX‖² + ${weight}·‖X‖_${kind}, A ${data.rows}×${n} with centred columns of length 1`,
    n,
    p,
    objective: quadraticObjective(
      E,
      n,
      p,
      varianceOf(E, data, { problem: "sparse-pca", weight: 1, covariance: options.covariance }),
    ),
    nonsmooth: { kind, weight },
    get optimum() {
      return weight === 0 && Math.min(n, data.rows) <= LARGEST_EIGENPROBLEM ? optimum() : undefined;
    },
  };
}

/** Each column divided by its length; zero columns stay */
function withUnitColumns({ rows: m, cols: n, data }: Matrix): Matrix {
  const square = new Float64Array(n);
  for (let k = 0; k < data.length; k++) square[k % n]! += data[k]! ** 2;
  return { rows: m, cols: n, data: data.map((v, k) => (v === 0 ? 0 : v / Math.sqrt(square[k % n]!))) };
}
