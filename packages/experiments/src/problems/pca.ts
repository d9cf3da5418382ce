/** Principal component analysis: the p directions of largest variance of a data matrix, one sample a row. */

import { sampleOf } from "@expen/apps/objectives";
import type { QuadraticForm } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import {
  bool,
  checkData,
  gaussian,
  matrix,
  ProblemError,
  plain,
  plainProduct,
  plainTranspose,
  random,
  whole,
} from "@expen/linalg";
import { extremeEigenvalues } from "@expen/linalg/dense";
import { dataPart, type Part } from "@expen/linalg/memory";
import {
  checkShape,
  LARGEST_EIGENPROBLEM,
  lazy,
  type Problem,
  type ProblemOptions,
  problemOptions,
  refuseBeside,
} from "./problem.js";

interface PcaOptions extends ProblemOptions {
  /** m×n, one sample a row; a seeded sample with a decaying spectrum if absent */
  A?: Matrix;
  /** number of seeded samples; default 2·n, at most 1000 */
  m?: number;
  /** subtract the column means first */
  centre?: boolean;
  center?: boolean;
  /** form the n×n covariance instead of working with A; default: if that makes evaluations cheaper, n ≤ 2m */
  covariance?: boolean;
}

export const pcaDefaults = { centre: true, m: (n: number): number => Math.min(2 * n, 1000) };

/** Memory: A as given, centred, and in the engine */
export const pcaParts = (o: PcaOptions): Part[] => varianceParts(o, o.m ?? pcaDefaults.m(o.n), 3);

/**
 * f(X) = −½‖ÂX‖²/(m − 1),  Â = A − 1·(column means) (Â = A without centring; 1 instead of m − 1 if m = 1)
 *
 *     ∇f(X) = −Âᵀ(ÂX)/(m − 1),   f* = −½ Σ_{i ≤ p} λ_i, the largest eigenvalues of the covariance ÂᵀÂ/(m − 1)
 *
 * so that −2f(X) is the variance that X explains.
 */
export function pca(E: Engine, user: PcaOptions): Problem {
  const options = problemOptions("pca", user, { A: matrix, m: whole(1), centre: bool, covariance: bool });
  refuseBeside("pca", { A: options.A }, { m: options.m });
  const { n, p, seed = 1, m = pcaDefaults.m(n), centre = pcaDefaults.centre } = options;
  checkShape(E, "pca", options, pcaParts);
  const raw = options.A ?? decayingSample(m, n, p, seed);
  checkData("pca", "A", raw, raw.rows, n);
  if (raw.rows < 1) throw new ProblemError("pca: A has no rows; at least one sample is needed.");
  const data = centre ? centred(raw) : raw;
  const weight = 1 / Math.max(1, data.rows - 1);
  const optimum = lazy(() => -0.5 * weight * topEigenvalues(E, data, p));
  return {
    name: "pca",
    title: `f(X) = −½‖AX‖²/(m − 1), A ${data.rows}×${n}${centre ? " centred" : ""}`,
    n,
    p,
    objective: quadraticObjective(
      E,
      n,
      p,
      varianceOf(E, data, { problem: "pca", weight, covariance: options.covariance }),
    ),
    get optimum() {
      return Math.min(n, data.rows) <= LARGEST_EIGENPROBLEM ? optimum() : undefined;
    },
  };
}

/** A = Z·Diag(0.8^k)·V + N/10: k < 2p + 10 Gaussian factors of decreasing strength (V/√n with nearly orthonormal rows) plus noise N */
function decayingSample(m: number, n: number, p: number, seed: number): Matrix {
  const rank = Math.min(m, n, 2 * p + 10);
  const Z = gaussian(m, rank, random(seed, "pca factors"));
  for (let k = 0, strength = 1; k < rank; k++, strength *= 0.8) {
    for (let i = 0; i < m; i++) Z.data[i * rank + k]! *= strength;
  }
  const A = plainProduct(Z, gaussian(rank, n, random(seed, "pca directions")));
  const r = random(seed, "pca noise");
  for (let i = 0; i < A.data.length; i++) A.data[i]! += 0.1 * r.normal();
  return A;
}

/** −½·weight·‖AX‖² of preprocessed data, by products with AᵀA or with A */
export function varianceOf(
  E: Engine,
  data: Matrix,
  { problem, weight, covariance }: { problem: string; weight: number; covariance?: boolean | undefined },
): QuadraticForm {
  const through = covariance === undefined ? {} : { through: covariance ? ("covariance" as const) : ("rows" as const) };
  return sampleOf(E, data, { application: problem, centre: false, standardise: false, weight, ...through }).form;
}

/** Σ of the p largest eigenvalues of AᵀA, from the smaller of AᵀA and AAᵀ (the others are 0) */
export function topEigenvalues(E: Engine, data: Matrix, p: number): number {
  const { rows, cols, data: numbers } = data.rows < data.cols ? plainTranspose(data) : data;
  const S = E.small(cols, cols);
  E.gram(S, E.tall(rows, cols, numbers));
  const { largest } = extremeEigenvalues({ rows: cols, cols, data: E.read(S) }, 0, Math.min(p, cols), E);
  return largest.reduce((sum, v) => sum + v, 0);
}

/** Memory: `copies` of A, the last one in the engine, and its product with X; or one copy less, and AᵀA */
export function varianceParts(
  { n, p, A, covariance }: ProblemOptions & { A?: Matrix; covariance?: boolean },
  m: number,
  copies: number,
): Part[] {
  const rows = A?.rows ?? m;
  const formed = covariance ?? n <= 2 * rows;
  if (!formed) return [dataPart(A, rows, n, copies), { count: 1, rows, cols: p }];
  const hostCopies = copies - (A ? 2 : 1);
  return [
    { count: hostCopies, rows, cols: n, plain: hostCopies },
    { count: 4, rows: n, cols: n, plain: 2 },
  ];
}

/** A − 1·(column means) */
export function centred(A: Matrix): Matrix {
  const { rows: m, cols: n } = A;
  const mean = new Float64Array(n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) mean[j]! += A.data[i * n + j]! / m;
  const C = plain(m, n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) C.data[i * n + j] = A.data[i * n + j]! - mean[j]!;
  return C;
}
