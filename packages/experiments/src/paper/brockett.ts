/** The paper's second experiment (4.4): Brockett's function, a quadratic with eigenvectors of B, ordered by C, as its solution. */

import { quadraticObjective } from "@expen/core";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { checkData, checkSymmetric, dense, matrix, plain, random, unitSymmetric } from "@expen/linalg";
import { extremeEigenvalues } from "@expen/linalg/dense";
import { dataPart, type Part } from "@expen/linalg/memory";
import {
  checkShape,
  LARGEST_EIGENPROBLEM,
  lazy,
  type Problem,
  type ProblemOptions,
  problemOptions,
  requireBoth,
} from "../problems/problem.js";

interface BrockettOptions extends ProblemOptions {
  /** n×n symmetric, dense or sparse; a symmetrised Gaussian divided by its spectral norm if absent */
  B?: Matrix | Sparse;
  /** p×p symmetric; default: the identity if B is given, otherwise a symmetrised Gaussian divided by its spectral norm */
  C?: Matrix;
}

export const brockettParts = ({ n, p, B }: BrockettOptions): Part[] => [
  dataPart(B, n, n),
  { count: 2, rows: n, cols: p },
];

/**
 * f(X) = ½ tr(XᵀBXC),  ∇f(X) = BXC,  ∇²f(X)[D] = BDC
 *
 * Closed form, from von Neumann's trace inequality with the eigenvalues of C padded by n − p zeros: the positive ones, descending,
 * pair with the smallest eigenvalues of B, ascending; the negative ones, ascending, with the largest, descending;
 * f* is half the sum of the products.
 */
export function brockett(E: Engine, options: BrockettOptions): Problem {
  const { n, p, seed = 1, ...matrices } = problemOptions("brockett", options, { B: matrix, C: matrix });
  checkShape(E, "brockett", { n, p, ...matrices }, brockettParts);
  const data = matrices.B ?? unitSymmetric(n, random(seed, "brockett B"));
  // a given B has its eigenvectors as the solution, without a random C
  const order = matrices.C ?? (matrices.B ? identity(p) : unitSymmetric(p, random(seed, "brockett C")));
  checkData("brockett", "B", data, n, n);
  checkData("brockett", "C", order, p, p);
  if (matrices.C) requireBoth("brockett", { C: matrices.C, B: matrices.B });
  if (matrices.B) checkSymmetric("brockett", "B", data);
  if (matrices.C) checkSymmetric("brockett", "C", order);
  const { apply, flops } = E.operator(data);
  const optimum = lazy(() => pairedEigenvalues(E, dense(data), order));
  return {
    name: "brockett",
    title: "f(X) = ½ tr(XᵀBXC), B and C symmetric",
    n,
    p,
    objective: quadraticObjective(E, n, p, { apply: (Y, X) => apply(Y, X), C: E.small(p, p, order.data), flops }),
    get optimum() {
      return n <= LARGEST_EIGENPROBLEM ? optimum() : undefined;
    },
  };
}

function identity(p: number): Matrix {
  const I = plain(p, p);
  for (let j = 0; j < p; j++) I.data[j * (p + 1)] = 1;
  return I;
}

function pairedEigenvalues(E: Engine, B: Matrix, C: Matrix): number {
  const c = extremeEigenvalues(C, C.rows, 0).smallest;
  const negative = c.filter((v) => v < 0);
  const positive = c.filter((v) => v > 0).reverse();
  const b = extremeEigenvalues(B, positive.length, negative.length, E);
  let sum = 0;
  for (let k = 0; k < positive.length; k++) sum += positive[k]! * b.smallest[k]!;
  for (let k = 0; k < negative.length; k++) sum += negative[k]! * b.largest[k]!;
  return 0.5 * sum;
}
