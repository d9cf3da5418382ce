/** Principal component analysis: the p directions of largest variance of a data matrix, one sample a row. */
import { extremeEigenvalues } from "../linalg/symmetric-eigenvalues.js";
import { random } from "../random.js";
import type { Engine, Matrix, QuadraticForm } from "../types.js";
import { gaussian, plain, plainProduct, plainTranspose } from "./instances.js";
import { scratch } from "./operator.js";
import { checkShape, checkSizes, lazy, type Problem, ProblemError, type ProblemOptions } from "./problem.js";

export interface PcaOptions extends ProblemOptions {
  /** m×n, one sample a row; a seeded sample with a decaying spectrum if absent */
  A?: Matrix;
  /** samples of the seeded data */
  m?: number;
  /** subtract each column's mean first */
  centre?: boolean;
  /** work with the n×n covariance (2n²p operations an evaluation) instead of A (4mnp); default: what is cheaper */
  covariance?: boolean;
}

/**
 * f(X) = −½‖ÂX‖²/(m − 1),  Â = A − 1·(column means) (Â = A without centring, 1 instead of m − 1 if m = 1)
 *
 *     ∇f(X) = −Âᵀ(ÂX)/(m − 1),   f* = −½ Σ_{i ≤ p} λ_i, the largest eigenvalues of the covariance K = ÂᵀÂ/(m − 1)
 *
 * so that −2f(X) is the variance that X explains.
 */
export function pca(E: Engine, options: PcaOptions): Problem {
  const { n, p, seed = 1, m = 2 * n, centre = true } = options;
  checkSizes("pca", n, p);
  const raw = options.A ?? decayingSample(m, n, p, seed);
  checkShape("pca", "A", raw, raw.rows, n);
  if (raw.rows < 1) throw new ProblemError("pca: A has no rows; at least one sample is needed.");
  const data = centre ? centred(raw) : raw;
  const samples = data.rows;
  const { covariance = n <= 2 * samples } = options;
  const weight = 1 / Math.max(1, samples - 1);

  const apply = covariance ? covarianceOperator(E, data, weight) : factorOperator(E, data, p, weight);
  const W = E.matrix(n, p);
  function fg(G: Matrix, X: Matrix): number {
    apply(G, X);
    return 0.5 * E.dot(X, G);
  }
  const optimum = lazy(() => -0.5 * weight * topEigenvalues(data, p));

  return {
    name: "pca",
    title: `f(X) = −½‖AX‖²/(m − 1), A ${samples}×${n}${centre ? " centred" : ""}`,
    n,
    p,
    objective: { n, p, quadratic: { apply }, f: (X) => fg(W, X), fg, hvp: (H, _X, D) => apply(H, D) },
    get optimum() {
      return optimum();
    },
  };
}

/** Y ← −K·X with K formed once */
function covarianceOperator(E: Engine, data: Matrix, weight: number): QuadraticForm["apply"] {
  const K = E.matrix(data.cols, data.cols);
  E.gram(K, E.from(data));
  return (Y, X) => E.apply(Y, K, X, -weight);
}

/** Y ← −weight·Âᵀ(ÂX) */
function factorOperator(E: Engine, data: Matrix, p: number, weight: number): QuadraticForm["apply"] {
  const A = E.from(data);
  const image = scratch(E, data.rows, p);
  return (Y, X) => {
    const AX = image(X);
    E.apply(AX, A, X);
    E.tmul(Y, A, AX, -weight);
  };
}

/** Σ of the p largest eigenvalues of AᵀA, from the smaller of AᵀA and AAᵀ (the others are 0) */
export function topEigenvalues(A: Matrix, p: number): number {
  const T = plainTranspose(A);
  const S = A.rows < A.cols ? plainProduct(A, T) : plainProduct(T, A);
  const { largest } = extremeEigenvalues(S, 0, Math.min(p, S.rows));
  return largest.reduce((sum, v) => sum + v, 0);
}

function centred(A: Matrix): Matrix {
  const { rows: m, cols: n } = A;
  const mean = new Float64Array(n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) mean[j]! += A.data[i * n + j]! / m;
  const C = plain(m, n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) C.data[i * n + j] = A.data[i * n + j]! - mean[j]!;
  return C;
}

/** A = Z·Diag(0.8^k)·V + N/10: k < 2p + 10 Gaussian factors of falling strength (V/√n nearly orthonormal rows) under noise. */
function decayingSample(m: number, n: number, p: number, seed: number): Matrix {
  if (!Number.isInteger(m) || m < 1) {
    throw new ProblemError(`pca: m is ${m}; it must be a whole number of samples, 1 or more.`);
  }
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
