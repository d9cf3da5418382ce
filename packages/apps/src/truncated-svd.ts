import type { Matrix, MatrixLike, Sparse } from "@expen/linalg";
import { checkDataShape, chosenOptions, operatorOf, ProblemError } from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import { columnsOption, type Description, describe, entries, row, TOLERANCE } from "./description.js";
import { type CountOptions, countSchema } from "./eigen/eigs-options.js";
import { type SvdsAnswer, svds } from "./eigen/svds.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";

/** Options of `truncatedSvd`: the number of singular values, and limits */
export interface TruncatedSvdOptions extends CountOptions {}

/** The largest singular values of `truncatedSvd` with their vectors, A ≈ U·Diag(values)·Vᵀ, a model that maps other rows */
export interface TruncatedSvdAnswer extends SvdsAnswer, Model {}

/**
 * The p largest singular values of a dense or sparse A with their vectors, by `svds` of `expen/eigen`, as a model: A·V are the scores of
 * its rows, and those of new ones.
 */
export async function truncatedSvd(
  source: MatrixLike,
  options: TruncatedSvdOptions = {} as TruncatedSvdOptions,
): Promise<TruncatedSvdAnswer> {
  const o = chosenOptions("svd", options, countSchema);
  const A = operatorOf("svd", "A", source);
  const { rows: m, cols: n } = A;
  checkDataShape("svd", "A", A, m, n);
  requireRank("svd", o.p, { m, n });
  return modelOf("svd", { names: isSparse(A) ? undefined : A.names, ...(await svds(A, o)) });
}

/** Throws unless 1 ≤ p ≤ each of the sizes */
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

export const description: Description = describe({
  name: "svd",
  summary: "largest singular values and their vectors",
  files: [{ name: "matrix", help: "dense or sparse", holds: "operator" }],
  options: [columnsOption("number of singular values"), TOLERANCE],
  isDirect: true,
  example: "A.csv --p 3 --out U.csv --out V.csv",
  parts: ["U", "V"],
  points: "U",
  solve: ([A]: [Matrix | Sparse], o: TruncatedSvdOptions) => truncatedSvd(A, o),
  report: ({ U, V, values }) => ({
    saved: { name: "left singular vectors", matrix: U },
    lines: [["singular values", row(values, 8)]],
    numbers: { values, V: entries(V) },
  }),
});
