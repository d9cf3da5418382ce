import { withEngine } from "../engines/open.js";
import { smallOf, tallOf } from "../engines/own-matrix.js";
import { eigh } from "../linalg/eigh.js";
import { jointdiag } from "../problems/jointdiag.js";
import { ProblemError } from "../problems/problem.js";
import { random } from "../random.js";
import type { Engine, Matrix } from "../types.js";
import {
  type Application,
  type ApplicationOptions,
  bestOf,
  byFalling,
  columns,
  plainOf,
  withoutEngine,
  withPositivePeaks,
} from "./application.js";
import { squareSum } from "./columns.js";

export interface JointDiagonalizationOptions extends ApplicationOptions {
  /** columns of X; default: n, a full orthogonal matrix */
  p?: number;
}

export interface JointDiagonalizationAnswer extends Application {
  /** n×p orthonormal, XᵀA_kX as diagonal as possible for all k; columns by falling Σ_k (diagonal entry)² */
  X: Matrix;
  /** K×p: the diagonals of XᵀA_kX, one matrix a row */
  diagonals: Matrix;
  /** Σ_k ‖off-diagonal part of XᵀA_kX‖² / Σ_k ‖XᵀA_kX‖² */
  offDiagonal: number;
}

/** Orthonormal X that makes all XᵀA_kX nearly diagonal: max Σ_k ‖diag(XᵀA_kX)‖², from the eigenvectors of a random combination. */
export async function jointDiagonalization(
  matrices: readonly Matrix[],
  { p, ...o }: JointDiagonalizationOptions = {},
): Promise<JointDiagonalizationAnswer> {
  const [first] = matrices;
  if (!first) throw new ProblemError("joint-diagonalization: there are no matrices; at least one is needed.");
  return withEngine(o.engine, async (E) => {
    const n = first.rows;
    const width = p ?? n;
    const { objective } = jointdiag(E, { n, p: width, A: matrices });
    const starts = [eigenvectorsOfCombination(E, matrices, width, o.seed ?? 1), undefined];
    const run = await bestOf(E, objective, starts, withoutEngine(o));

    const operators = matrices.map((A) => E.operator(A));
    const diagonals = (X: Matrix): { rows: number[][]; off: number; total: number } => {
      const [W, S, M] = [E.tall(n, width), E.small(width, width), tallOf(E, X)];
      let [off, total] = [0, 0];
      const rows = operators.map((A) => {
        A.apply(W, M);
        E.tmul(S, M, W);
        const numbers = E.read(S);
        const diagonal = Array.from({ length: width }, (_, j) => numbers[j * (width + 1)]!);
        const square = E.dot(S, S);
        total += square;
        off += square - diagonal.reduce((s, v) => s + v * v, 0);
        return diagonal;
      });
      return { rows, off: Math.max(0, off), total };
    };
    const strengths = (rows: number[][]): number[] => rows[0]!.map((_, j) => rows.reduce((s, r) => s + r[j]! ** 2, 0));
    const X = withPositivePeaks(columns(run.X, byFalling(strengths(diagonals(run.X).rows))));
    const { rows, off, total } = diagonals(X);
    return {
      X,
      diagonals: { rows: rows.length, cols: width, data: Float64Array.from(rows.flat()) },
      offDiagonal: total > 0 ? off / total : 0,
      run,
    };
  });
}

/** Of Σ c_k·A_k/‖A_k‖ with Gaussian c: the common ones, where the matrices have them; those with the largest |eigenvalues| */
function eigenvectorsOfCombination(E: Engine, matrices: readonly Matrix[], p: number, seed: number): Matrix {
  const n = matrices[0]!.rows;
  const S = { rows: n, cols: n, data: new Float64Array(n * n) };
  const r = random(seed, "combination");
  for (const A of matrices) {
    const c = r.normal() / (Math.sqrt(squareSum(A)) || 1);
    for (let k = 0; k < n * n; k++) S.data[k]! += c * A.data[k]!;
  }
  const { values, vectors } = eigh(E, smallOf(E, S));
  return columns(plainOf(E, vectors), byFalling(Array.from(values, Math.abs)).slice(0, p));
}
