import { gamma } from "@expen/core/certify";
import { type EngineName, withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Sparse } from "@expen/linalg";
import {
  anything,
  bool,
  chosenOptions,
  digits,
  hostMatrix,
  ProblemError,
  plainTranspose,
  positive,
  type Schema,
  signal,
  whole,
} from "@expen/linalg";
import { isSparse, sparseTranspose } from "@expen/linalg/arrays";
import { columns, peakSigns, scaleColumns } from "../application.js";
import type { Counter } from "./completeness.js";
import { type EigsCertificate, proofOf } from "./proof.js";
import { type MatrixInput, readMatrix } from "./read-matrix.js";
import type { SolveOptions } from "./run-options.js";
import { singularCounter } from "./singular-counter.js";
import { leadingTriplets, normOf, type Triplets, wholeDecomposition } from "./triplets.js";

export interface SvdsOptions extends SolveOptions {
  /** number of singular values */
  p: number;
  /** largest residual ‖Aᵀu − σv‖ over ‖A‖, 1e-9 if left out */
  tolerance?: number;
  /** count singular values by factorizations, to show that none is missing; left out: where that takes seconds at most */
  proof?: boolean;
  /** left out: the fastest available */
  engine?: Engine | EngineName;
}

export interface SvdsAnswer {
  /** the p largest, descending */
  values: number[];
  /** m×p and n×p with orthonormal columns, A·V = U·Diag(values); the largest entry of each column of U is positive */
  U: HostMatrix;
  V: HostMatrix;
  /** √(‖Av − σu‖² + ‖Aᵀu − σv‖²) of each triplet */
  residuals: number[];
  /** |σ − value| ≤ bounds[j] for a singular value of its own */
  bounds: number[];
  certificate: EigsCertificate;
  /** all residuals are within the tolerance, or at the rounding floor */
  converged: boolean;
  method: string;
  /** products with A and Aᵀ, in columns */
  products: number;
  seconds: number;
  notes: string[];
}

const NAME = "svds";
/** Largest residual over ‖A‖ that is asked for */
const TOLERANCE = 1e-9;
/** Smaller side up to which all singular values take milliseconds, and the share of them from which all take no longer */
const [SMALL, SHARE] = [256, 1 / 3];
/** Flops of the proof without `proof`: a second on one core */
const PROOF_FLOPS = 5e9;

const schema = {
  p: whole(1),
  tolerance: positive,
  proof: bool,
  engine: anything,
  seed: whole(0),
  signal,
  maxSeconds: positive,
  maxEvaluations: positive,
} satisfies Schema;

/**
 * The p largest singular values of a dense or sparse m×n matrix with their vectors, bounds, and a proof that none was missed.
 *
 *     const { values, U, V, bounds } = await svds([[3, 0], [4, 5]], 1);   // values[0] = 6.708
 *
 * A small matrix is factorized; else V spans the leading eigenvectors of AᵀA, or U those of AAᵀ, by products alone, and A·V is factorized.
 */
export async function svds(A: MatrixInput, options: SvdsOptions | number): Promise<SvdsAnswer> {
  const begin = performance.now();
  const {
    p,
    tolerance = TOLERANCE,
    proof,
    engine,
    ...limits
  } = chosenOptions(NAME, typeof options === "number" ? { p: options } : options, schema);
  if (p === undefined) throw new ProblemError(`${NAME}: p, the number of singular values, is missing; give { p }.`);
  const M = readMatrix(NAME, "A", A);
  const least = Math.min(M.rows, M.cols);
  if (p > least) throw new ProblemError(`${NAME}: p = ${p} is above ${least}, the smaller side of A; ask for fewer.`);
  return withEngine(engine, async (E) => {
    // with at least as many rows as columns
    const isWide = M.rows < M.cols;
    const T = isWide ? (isSparse(M) ? sparseTranspose(M) : plainTranspose(M)) : M;
    const size = normOf(T);
    const isSmall = !E.ranks && (least <= SMALL || p > SHARE * least);
    const triplets: Triplets = isSmall
      ? wholeDecomposition(E, T)
      : await leadingTriplets(E, T, p, tolerance * size, limits);
    const { theta, residual, U, V, products, run } = triplets;
    const count = theta.length;
    const rounding = theta.map(() => gamma(Math.max(T.rows, T.cols) + count + 8) * size);
    const counter = count === least ? "" : counterOf(E, T, size, proof);
    const computed = { theta, residual, rounding, defect: triplets.defect, metric: 1, total: least };
    const { order, bounds, certificate } = proofOf(computed, { which: "largest" }, p, counter, "singular value");
    const [left, right] = [columns(isWide ? V : U, order), columns(isWide ? U : V, order)];
    const signs = peakSigns(left);
    const residuals = order.map((j) => Math.SQRT2 * residual[j]!);
    return {
      values: order.map((j) => theta[j]!),
      U: hostMatrix(scaleColumns(left, signs)),
      V: hostMatrix(scaleColumns(right, signs)),
      residuals,
      bounds: bounds!,
      certificate,
      converged: !run || run.reason.converged,
      method: run ? `${run.run.method} on ${isWide ? "AAᵀ" : "AᵀA"}` : "all singular values, by a dense factorization",
      products,
      seconds: (performance.now() - begin) / 1000,
      notes: run && !run.reason.converged ? [run.reason.text] : [],
    };
  });
}

function counterOf(E: Engine, A: Matrix | Sparse, size: number, proof: boolean | undefined): Counter | string {
  if (proof === false) return "a proof was not asked for";
  const counter = singularCounter(E, A, size);
  if (!counter) return "the factors would be too large";
  if (proof || counter.flops <= PROOF_FLOPS) return counter;
  return `a factorization takes ${digits(counter.flops, 2)} operations; proof: true allows them`;
}
