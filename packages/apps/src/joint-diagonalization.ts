import type { Objective, StiefelOptions } from "@expen/core";
import { randomStart } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix } from "@expen/linalg";
import {
  checkData,
  checkSizes,
  checkSymmetric,
  type MatrixLike,
  matricesOf,
  ProblemError,
  random,
  whole,
} from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import {
  type Application,
  type ApplicationOptions,
  bestOf,
  byFalling,
  columns,
  isAborted,
  optionsOf,
  plainOf,
  randomStarts,
  withPositivePeaks,
} from "./application.js";
import { squareSum } from "./columns.js";
import { type Description, describe, percent } from "./description.js";
import { jointDiagonality, orthogonalJointDiagonality } from "./joint-diagonality.js";
import { answerOf } from "./model/model.js";
import { inPairMetric } from "./pair-metric.js";

/** Options of `jointDiagonalization`: the number of axes, the starts, and the run */
export interface JointDiagonalizationOptions extends ApplicationOptions {
  /** columns of X; default: n, a full orthogonal matrix */
  p?: number;
  /** number of starts, eigenvectors of random combinations; the best result is returned */
  starts?: number;
}

/** The axes of `jointDiagonalization`, with the diagonals of all matrices in them */
export interface JointDiagonalizationAnswer extends Application {
  /** n×p orthonormal, XᵀA_kX as diagonal as possible for all k; columns by decreasing Σ_k (diagonal entry)² */
  X: HostMatrix;
  /** K×p: the diagonals of XᵀA_kX, one matrix a row */
  diagonals: HostMatrix;
  /** Σ_k ‖off-diagonal part of XᵀA_kX‖² / Σ_k ‖XᵀA_kX‖² */
  offDiagonal: number;
}

/**
 * Orthonormal X that makes all XᵀA_kX nearly diagonal: max Σ_k ‖diag(XᵀA_kX)‖², from the eigenvectors of random combinations. For p = n
 * steps are preconditioned by the Hessian for matrices with common eigenvectors (joint-diagonality.ts).
 */
export async function jointDiagonalization(
  source: readonly MatrixLike[],
  options: JointDiagonalizationOptions = {},
): Promise<JointDiagonalizationAnswer> {
  const { p, starts = 2, ...o } = optionsOf("joint-diagonalization", options, { p: whole(1), starts: whole(1) });
  const matrices = matricesOf("joint-diagonalization", source);
  const [first] = matrices;
  if (!first) throw new ProblemError("joint-diagonalization: there are no matrices; at least one is needed.");
  const n = first.rows;
  const width = p ?? n;
  checkSizes("joint-diagonalization", n, width);
  matrices.forEach((A, k) => {
    checkData("joint-diagonalization", `A[${k}]`, A, n, n);
    checkSymmetric("joint-diagonalization", `A[${k}]`, A);
  });
  return withEngine(o.engine, async (E) => {
    const from = randomStarts("joint-diagonalization", starts).map((_, i) =>
      isAborted(o)
        ? plainOf(E, randomStart(E, n, width, o.seed ?? 1))
        : eigenvectorsOfCombination(E, matrices, width, (o.seed ?? 1) + i),
    );
    const run = await bestOf(E, ...poseProblem(E, matrices, width, from, o));

    const [W, S, X] = [E.tall(n, width), E.small(width, width), tallOf(E, run.X)];
    let [off, total] = [0, 0];
    const rows = matrices.map((A) => {
      E.operator(A).apply(W, X);
      E.tmul(S, X, W);
      const numbers = E.read(S);
      const diagonal = Array.from({ length: width }, (_, j) => numbers[j * (width + 1)]!);
      const square = E.dot(S, S);
      total += square;
      off += square - diagonal.reduce((s, v) => s + v * v, 0);
      return diagonal;
    });
    const order = byFalling(rows[0]!.map((_, j) => rows.reduce((s, r) => s + r[j]! ** 2, 0)));
    return answerOf({
      X: withPositivePeaks(columns(run.X, order)),
      diagonals: {
        rows: rows.length,
        cols: width,
        data: Float64Array.from(rows.flatMap((r) => order.map((j) => r[j]!))),
      },
      offDiagonal: total > 0 ? Math.max(0, off) / total : 0,
      run,
    });
  });
}

type Posed = [f: Objective, starts: Matrix[], o: StiefelOptions];

/** The arguments of `bestOf` for p < n and for p = n */
function poseProblem(E: Engine, matrices: readonly Matrix[], p: number, starts: Matrix[], o: StiefelOptions): Posed {
  const n = matrices[0]!.rows;
  if (p < n) return [jointDiagonality(E, matrices, p), starts, o];
  const { f, precondition } = orthogonalJointDiagonality(E, matrices);
  return [f, starts, inPairMetric(o, precondition)];
}

/** Eigenvectors of Σ c_k·A_k/‖A_k‖ with Gaussian c, by decreasing |eigenvalue|: the common eigenvectors, if there are any */
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

export const description: Description = describe({
  name: "jointdiag",
  summary: "orthonormal axes that make several symmetric matrices nearly diagonal",
  files: [{ name: "matrices", help: "one symmetric matrix each", repeats: true }],
  options: [{ name: "p", type: "integer", help: "number of axes; default: all" }],
  example: "A1.csv A2.csv A3.csv --out X.npy",
  parts: ["X", "diagonals"],
  solve: (matrices: Matrix[], o: JointDiagonalizationOptions) => jointDiagonalization(matrices, o),
  report: ({ X, offDiagonal }) => ({
    saved: { name: "X", matrix: X },
    lines: [["off-diagonal share of ‖XᵀAX‖²", percent(offDiagonal)]],
    numbers: { offDiagonal },
  }),
});
