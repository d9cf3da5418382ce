/** A quadratic form with a linear term, the analogue of the trust-region subproblem on the Stiefel manifold. */

import { quadraticObjective } from "@expen/core";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import {
  checkData,
  checkSymmetric,
  dense,
  finite,
  gaussian,
  matrix,
  plainProduct,
  plainTranspose,
  random,
  unitSymmetric,
} from "@expen/linalg";
import { extremeEigenvalues, spectralNorm } from "@expen/linalg/dense";
import { dataPart, type Part } from "@expen/linalg/memory";
import {
  checkShape,
  LARGEST_EIGENPROBLEM,
  lazy,
  type Problem,
  type ProblemOptions,
  problemOptions,
  refuseBeside,
  requireBoth,
} from "./problem.js";

interface QuadraticOptions extends ProblemOptions {
  /** n×n symmetric, dense or sparse; a symmetrised Gaussian of spectral norm 1 if absent */
  A?: Matrix | Sparse;
  /** n×p; a Gaussian of spectral norm kappa if absent */
  G?: Matrix;
  /** spectral norm of the seeded linear term; default: 0.1, or 0 if A is given */
  kappa?: number;
}

/** spectral norm of the seeded linear term */
export const quadraticDefaults = { kappa: 0.1 };

export const quadraticParts = ({ n, p, A }: QuadraticOptions): Part[] => [
  dataPart(A, n, n),
  { count: 4, rows: n, cols: p },
];

/**
 * f(X) = ½ tr(XᵀAX) + tr(GᵀX),  ∇f(X) = AX + G,  ∇²f(X)[D] = AD
 *
 * G = 0: f* = ½ Σ_{k ≤ p} λ_k(A), the smallest eigenvalues.
 */
export function quadratic(E: Engine, options: QuadraticOptions): Problem {
  const kinds = { A: matrix, G: matrix, kappa: finite };
  const { n, p, seed = 1, kappa: size, ...matrices } = problemOptions("quadratic", options, kinds);
  if (matrices.G) requireBoth("quadratic", { G: matrices.G, A: matrices.A });
  refuseBeside("quadratic", { G: matrices.G }, { kappa: size });
  // a given A has no random linear term
  const kappa = size ?? (matrices.A ? 0 : quadraticDefaults.kappa);
  checkShape(E, "quadratic", { n, p, ...matrices }, quadraticParts);
  const data = matrices.A ?? unitSymmetric(n, random(seed, "quadratic A"));
  checkData("quadratic", "A", data, n, n);
  if (matrices.A) checkSymmetric("quadratic", "A", data);
  const linear = matrices.G ?? gaussianOfNorm(n, p, kappa, seed);
  checkData("quadratic", "G", linear, n, p);
  const { apply, flops } = E.operator(data);
  const pure = linear.data.every((v) => v === 0);
  const optimum = lazy(() => 0.5 * extremeEigenvalues(dense(data), p, 0, E).smallest.reduce((sum, v) => sum + v, 0));
  return {
    name: "quadratic",
    title: pure ? "f(X) = ½ tr(XᵀAX)" : "f(X) = ½ tr(XᵀAX) + tr(GᵀX)",
    n,
    p,
    objective: quadraticObjective(E, n, p, {
      apply: (Y, X) => apply(Y, X),
      matrix: data,
      flops,
      L: pure ? undefined : E.tall(n, p, linear.data),
    }),
    get optimum() {
      return pure && n <= LARGEST_EIGENPROBLEM ? optimum() : undefined;
    },
  };
}

/** A Gaussian matrix with ‖G‖₂ = kappa */
function gaussianOfNorm(n: number, p: number, kappa: number, seed: number): Matrix {
  const G = gaussian(n, p, random(seed, "quadratic G"));
  const norm = Math.sqrt(spectralNorm(plainProduct(plainTranspose(G), G)));
  return { ...G, data: G.data.map((v) => (kappa / norm) * v) };
}
