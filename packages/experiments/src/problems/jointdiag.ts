/** Joint diagonalisation of several symmetric matrices, the core of JADE and of other blind source separation. */

import { jointDiagonality } from "@expen/apps/objectives";
import type { Engine, Matrix } from "@expen/linalg";
import {
  checkData,
  checkSymmetric,
  finite,
  list,
  ProblemError,
  plain,
  plainProduct,
  plainTranspose,
  random,
  randomOrthonormal,
  sumOfLargest,
  whole,
} from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { checkShape, type Problem, type ProblemOptions, problemOptions, refuseBeside } from "./problem.js";

interface JointdiagOptions extends ProblemOptions {
  /** the symmetric n×n matrices; seeded ones with common eigenvectors if absent */
  A?: readonly Matrix[];
  /** number of seeded matrices */
  count?: number;
  /** standard deviation of symmetric noise on the seeded matrices; 0 keeps the common eigenvectors and the known optimum */
  noise?: number;
}

/** number of the seeded matrices, and standard deviation of their noise */
export const jointdiagDefaults = { count: 5, noise: 0 };

export function jointdiagParts({ n, p, A, count = jointdiagDefaults.count }: JointdiagOptions): Part[] {
  const matrices = A?.length ?? count;
  return [
    A ? { count: matrices, rows: n, cols: n } : { count: 2 * matrices + 3, rows: n, cols: n, plain: matrices + 3 },
    { count: matrices + 2, rows: n, cols: p },
  ];
}

/**
 * f(X) = −½ Σ_k ‖diag(XᵀA_kX)‖². If A_k = QΛ_kQᵀ, then with W_ij = (QᵀX)²_ij
 * the sum is convex in W, whose columns sum to 1 and rows to at most 1; hence maximal at a vertex, a choice of p eigenvectors:
 * f* = −½·(the p largest of Σ_k λ_ki²).
 */
export function jointdiag(E: Engine, user: JointdiagOptions): Problem {
  const options = problemOptions("jointdiag", user, { A: list, count: whole(1), noise: finite });
  refuseBeside("jointdiag", { A: options.A }, { count: options.count, noise: options.noise });
  const { n, p, seed = 1, count = jointdiagDefaults.count, noise = jointdiagDefaults.noise } = options;
  checkShape(E, "jointdiag", options, jointdiagParts);
  options.A?.forEach((M, k) => {
    checkData("jointdiag", `A[${k}]`, M, n, n);
    checkSymmetric("jointdiag", `A[${k}]`, M);
  });
  const common = options.A ? undefined : commonEigenvectors(n, count, seed);
  const data = options.A ?? perturbed(common!.matrices, noise, seed);
  if (data.length === 0) throw new ProblemError("jointdiag: A is an empty list; at least one matrix is needed.");
  return {
    name: "jointdiag",
    title: `f(X) = −½ Σ_k ‖diag(XᵀA_kX)‖², ${data.length} symmetric A_k`,
    n,
    p,
    objective: jointDiagonality(E, data, p),
    ...(common && noise === 0 && { optimum: -0.5 * sumOfLargest(common.strengths, p) }),
  };
}

/** A_k = QΛ_kQᵀ with Gaussian Λ_k; strengths_i = Σ_k λ_ki² */
export function commonEigenvectors(
  n: number,
  count: number,
  seed: number,
): { Q: Matrix; matrices: Matrix[]; strengths: Float64Array } {
  const Q = randomOrthonormal(n, n, random(seed, "jointdiag Q"));
  const T = plainTranspose(Q);
  const r = random(seed, "jointdiag eigenvalues");
  const strengths = new Float64Array(n);
  const matrices = Array.from({ length: count }, () => {
    const scaled = plain(n, n); // Λ·Qᵀ
    for (let i = 0; i < n; i++) {
      const lambda = r.normal();
      strengths[i]! += lambda * lambda;
      for (let j = 0; j < n; j++) scaled.data[i * n + j] = lambda * T.data[i * n + j]!;
    }
    return symmetrized(plainProduct(Q, scaled));
  });
  return { Q, matrices, strengths };
}

function perturbed(matrices: readonly Matrix[], noise: number, seed: number): readonly Matrix[] {
  if (noise === 0) return matrices;
  const r = random(seed, "jointdiag noise");
  return matrices.map((M) => symmetrized({ ...M, data: M.data.map((v) => v + noise * r.normal()) }));
}

function symmetrized({ rows: n, data }: Matrix): Matrix {
  const S = plain(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) S.data[i * n + j] = 0.5 * (data[i * n + j]! + data[j * n + i]!);
  }
  return S;
}
