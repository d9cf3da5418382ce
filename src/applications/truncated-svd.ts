import { product, stiefel } from "../constraints/manifolds.js";
import { withEngine } from "../engines/open.js";
import { checkData, ProblemError, requireMatrices } from "../problems/problem.js";
import type { Matrix, Sparse, Tall } from "../types.js";
import { type Application, type ApplicationOptions, runOn } from "./application.js";
import { bilinear, type Pair, paired } from "./bilinear.js";

export interface TruncatedSvdOptions extends ApplicationOptions {
  p: number;
}

export interface TruncatedSvdAnswer extends Application<Pair> {
  /** m×p and n×p, orthonormal: A ≈ U·Diag(values)·Vᵀ */
  U: Matrix;
  V: Matrix;
  /** the p largest singular values, falling */
  values: number[];
}

/**
 * The p largest singular values of a dense or sparse A with their vectors: max tr UᵀAV over two matrices with orthonormal columns. At a
 * maximum it is the sum of the singular values [von Neumann 1937]; those of the p×p matrix UᵀAV are the answer.
 */
export async function truncatedSvd(A: Matrix | Sparse, { p, ...o }: TruncatedSvdOptions): Promise<TruncatedSvdAnswer> {
  requireMatrices("svd", { A });
  const { rows: m, cols: n } = A;
  requireRank("svd", p, { m, n });
  checkData("svd", "A", A, m, n);
  return withEngine(o.engine, async (E) => {
    const operator = E.operator(A);
    const on = product({ U: stiefel(m, p), V: stiefel(n, p) });
    const run = await runOn<Pair<Tall>>(E, bilinear(E, operator), on, o);
    return { ...paired(E, operator, run.X), run };
  });
}

/** p is a number of columns that fit into each of the sizes */
export function requireRank(application: string, p: number, sizes: Record<string, number>): void {
  if (!Number.isInteger(p) || p < 1) {
    throw new ProblemError(`${application}: p is ${p}; it must be a whole number, 1 or more.`);
  }
  for (const [letter, size] of Object.entries(sizes)) {
    if (p > size) {
      throw new ProblemError(`${application}: p = ${p} is above ${letter} = ${size}; ask for ${size} or fewer.`);
    }
  }
}
