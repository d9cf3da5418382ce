/** Whole factorizations of dense matrices. */
import { type EngineName, withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix } from "@expen/linalg";
import { anything, chosenOptions, hostMatrix, type Schema } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { eigh as eighOf, svd as svdOf } from "@expen/linalg/dense";
import { peakSigns, plainOf, scaleColumns } from "../application.js";
import { type MatrixInput, readMatrix, readSymmetric } from "./read-matrix.js";

/** The options of eigh and svd */
export interface DenseOptions {
  /** left out: the fastest available */
  engine?: Engine | EngineName;
}

const schema = { engine: anything } satisfies Schema;
const denseOf = (M: ReturnType<typeof readMatrix>): Matrix => (isSparse(M) ? sparseToDense(M) : M);

/**
 * All eigenvalues of a symmetric A, ascending, and orthonormal eigenvectors as columns: A = V·Diag(values)·Vᵀ up to roundoff.
 *
 *     const { values, vectors } = await eigh([[2, 1], [1, 2]]);   // 1, 3
 */
export async function eigh(
  A: MatrixInput,
  options: DenseOptions = {},
): Promise<{ values: number[]; vectors: HostMatrix }> {
  const { engine } = chosenOptions("eigh", options, schema);
  const M = denseOf(readSymmetric("eigh", "A", A));
  return withEngine(engine, async (E) => {
    const { values, vectors } = eighOf(E, E.small(M.rows, M.rows, M.data));
    const V = plainOf(E, vectors);
    return { values: Array.from(values), vectors: hostMatrix(scaleColumns(V, peakSigns(V))) };
  });
}

/**
 * The thin singular value decomposition A = U·Diag(values)·Vᵀ of any m×n matrix: U is m×k and V n×k with orthonormal columns, k the
 * smaller of m and n, and the values descend.
 *
 *     const { U, values, V } = await svd([[3, 0], [4, 5]]);   // 6.708, 2.236
 */
export async function svd(
  A: MatrixInput,
  options: DenseOptions = {},
): Promise<{ U: HostMatrix; values: number[]; V: HostMatrix }> {
  const { engine } = chosenOptions("svd", options, schema);
  const M = denseOf(readMatrix("svd", "A", A));
  return withEngine(engine, async (E) => {
    const { U, s, V } = svdOf(E, E.small(M.rows, M.cols, M.data));
    const left = plainOf(E, U);
    const signs = peakSigns(left);
    return {
      U: hostMatrix(scaleColumns(left, signs)),
      values: Array.from(s),
      V: hostMatrix(scaleColumns(plainOf(E, V), signs)),
    };
  });
}
