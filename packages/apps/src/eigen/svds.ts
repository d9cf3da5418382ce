import type { Precondition } from "@expen/core";
import { gamma } from "@expen/core/certify";
import { type EngineName, withEngine } from "@expen/engines";
import type { Engine, HostMatrix } from "@expen/linalg";
import { chosenOptions, digits, func, hostMatrix, oneOf, ProblemError, type Schema } from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import { columns, scaleColumns } from "../application.js";
import type { Counter } from "./completeness.js";
import { countSchema } from "./eigs-options.js";
import { signsOf } from "./own-rows.js";
import { requireScale } from "./pencil.js";
import { type EigsCertificate, proofOf } from "./proof.js";
import { type Rectangular, type RectangularInput, rectangularOf } from "./rectangular.js";
import type { SolveOptions } from "./run-options.js";
import { singularCounter } from "./singular-counter.js";
import { smallestTriplets } from "./smallest-triplets.js";
import { largestOfTall, NEAR_ROUNDING, type Triplets, tripletsByProducts, wholeDecomposition } from "./triplets.js";

/** Options of `svds`: which singular values, the count, and the run */
export interface SvdsOptions extends SolveOptions {
  /** number of singular values */
  p: number;
  /** the p largest, by default, or the smallest of the min(m, n) */
  which?: "largest" | "smallest";
  /** Z ← P·G with P ≈ (AᵀA)⁻¹, of a wide A (AAᵀ)⁻¹, in operations of the engine: Davidson's method for the smallest */
  preconditioner?: Precondition;
  /** largest residual ‖Aᵀu − σv‖ over ‖A‖, 1e-9 if left out */
  tolerance?: number;
  /** count singular values by factorizations, to show that none is missing; left out: where that takes seconds at most */
  proof?: boolean;
  /** left out: the fastest available */
  engine?: Engine | EngineName;
}

/** Singular values and vectors of `svds`, with residuals, bounds, and what was shown of them */
export interface SvdsAnswer {
  /** the p largest descending, or the p smallest ascending */
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

/** Smaller side up to which the smallest of a dense matrix are taken from all: the factorization holds three such matrices. */
const LARGEST_DENSE = 4000;

const schema = {
  ...countSchema,
  which: oneOf(["largest", "smallest"]),
  preconditioner: func,
} satisfies Schema;

/**
 * The p largest or smallest singular values of an m×n matrix with their vectors, bounds, and a proof that none was missed.
 * A is dense, sparse, or products with A and Aᵀ: { rows, cols, times, timesTransposed } of vectors, { rows, cols, apply, applyT } in
 * operations of the engine.
 *
 *     const { values, U, V, bounds } = await svds([[3, 0], [4, 5]], 1);   // values[0] = 6.708
 *     await svds(A, { p: 3, which: "smallest" });
 *
 * A small matrix is factorized; else V spans eigenvectors of AᵀA, or U those of AAᵀ, by products alone or, for the smallest of a sparse A,
 * by a factorization, and A·V is decomposed.
 */
export async function svds(A: RectangularInput, options: SvdsOptions | number): Promise<SvdsAnswer> {
  const begin = performance.now();
  const o = chosenOptions(NAME, typeof options === "number" ? { p: options } : options, schema);
  const { p, which = "largest", tolerance = TOLERANCE, proof, preconditioner } = o;
  if (p === undefined) throw new ProblemError(`${NAME}: p, the number of singular values, is missing; give { p }.`);
  if (preconditioner && which === "largest")
    throw new ProblemError(`${NAME}: a preconditioner is for the smallest singular values; leave it out.`);
  return withEngine(o.engine, async (E) => {
    const T = rectangularOf(E, NAME, A);
    const { rows, cols: least, isTurned, norm } = T;
    if (p > least) throw new ProblemError(`${NAME}: p = ${p} is above ${least}, the smaller side of A; ask for fewer.`);
    const { theta, residual, U, V, defect, run, method } = await computed(T, { ...o, p, which, tolerance });
    const count = theta.length;
    const rounding = theta.map(() => gamma(rows + count + 8) * norm);
    const counter = count === least ? "" : counterOf(T, proof);
    const ofVectors = { theta, residual, rounding, defect, metric: 1, total: least };
    const { order, bounds, certificate } = proofOf(ofVectors, { which }, p, counter, "singular value");
    const [left, right] = [columns(isTurned ? V : U, order), columns(isTurned ? U : V, order)];
    const signs = signsOf(E, left);
    const residuals = order.map((j) => Math.SQRT2 * residual[j]!);
    const worst = Math.max(...residuals);
    // squares lose digits of values next to 0, which the run does not see
    const isLarge = run?.reason.converged && worst > Math.max(tolerance, NEAR_ROUNDING) * norm;
    return {
      values: order.map((j) => theta[j]!),
      U: hostMatrix(scaleColumns(left, signs)),
      V: hostMatrix(scaleColumns(right, signs)),
      residuals,
      bounds: bounds!,
      certificate,
      converged: !run || (run.reason.converged && !isLarge),
      method,
      products: T.count.products,
      seconds: (performance.now() - begin) / 1000,
      notes: isLarge
        ? [`the largest residual is ${digits(worst)}: squares of A have no more digits`]
        : run && !run.reason.converged
          ? [run.reason.text]
          : [],
    };
  });
}

/** Triplets, among them the wanted ones, by the method that suits A */
async function computed(
  T: Rectangular,
  { p, which, tolerance, preconditioner, seed, signal: stop, maxSeconds, maxEvaluations }: MethodOptions,
): Promise<Triplets & { method: string }> {
  const { E, cols: n, matrix, isTurned } = T;
  const limits: SolveOptions = Object.fromEntries(
    Object.entries({ seed, signal: stop, maxSeconds, maxEvaluations }).filter(([, value]) => value !== undefined),
  );
  const squares = isTurned ? "AAᵀ" : "AᵀA";
  if (which === "largest" && !E.ranks && (n <= SMALL || p > SHARE * n) && p < n) {
    const triplets = largestOfTall(T, p);
    if (triplets) return { ...triplets, method: `eigenvectors of ${squares}, by a dense factorization` };
  }
  const isWhole = which === "smallest" && matrix && !isSparse(matrix) && n <= LARGEST_DENSE && !preconditioner;
  if (!E.ranks && (isWhole || n <= SMALL || p > SHARE * n))
    return { ...wholeDecomposition(T), method: "all singular values, by a dense factorization" };
  requireScale(NAME, "A", T.norm);
  if (which === "smallest" && !preconditioner) {
    const triplets = await smallestTriplets(NAME, T, p, limits);
    if (triplets) return { ...triplets, method: `Krylov spaces of (${squares} − σI)⁻¹ by a factorization` };
  }
  const options = { ...limits, precondition: preconditioner };
  const triplets = await tripletsByProducts(T, p, which, tolerance * T.norm, options);
  return { ...triplets, method: `${triplets.run!.run.method} on ${squares}` };
}

type MethodOptions = SvdsOptions & Required<Pick<SvdsOptions, "which" | "tolerance">>;

function counterOf({ E, matrix, norm }: Rectangular, proof: boolean | undefined): Counter | string {
  if (proof === false) return "a proof was not asked for";
  if (E.ranks) return "rows are distributed";
  if (!matrix) return "A is given by products, and no matrix that could be factorized";
  const counter = singularCounter(E, matrix, norm);
  if (!counter) return "the factors would be too large";
  if (proof || counter.flops <= PROOF_FLOPS) return counter;
  return `a factorization takes ${digits(counter.flops, 2)} operations; proof: true allows them`;
}
