import type { Evaluations, Precondition, Result } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, Matrix } from "@expen/linalg";
import {
  anything,
  bool,
  chosenOptions,
  digits,
  finite,
  func,
  oneOf,
  ProblemError,
  positive,
  type Schema,
  signal,
  whole,
} from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import type { Wanted } from "./completeness.js";
import { leastEigenvalue } from "./least-eigenvalue.js";
import { type Pencil, pencilOf } from "./pencil.js";
import { type EigsCertificate, inertiaCounter, proofOf } from "./proof.js";
import type { MatrixInput, OperatorInput } from "./read-matrix.js";
import { chosenPairs, type RitzPairs, residualRounding, ritzPairs } from "./ritz.js";
import type { RunOptions, SolveOptions } from "./run-options.js";
import { nearestPairs, shiftBelow } from "./shift-invert.js";
import { type ShiftedPencil, shiftedPencil } from "./shifted-pencil.js";
import { endOfSpectrum, nearestByProducts, negative } from "./spectrum-end.js";
import { wholeSpectrum } from "./whole.js";

export interface EigsOptions extends SolveOptions {
  /** number of eigenvalues */
  p: number;
  /** the p smallest, largest, or nearest to `sigma`; left out: "nearest" with a sigma, else "smallest" */
  which?: "smallest" | "largest" | "nearest";
  sigma?: number;
  /** A·x = λB·x, B symmetric positive definite */
  B?: MatrixInput;
  /** the size of A, where A is a function of a vector */
  n?: number;
  /** Z ← P·G with P ≈ A⁻¹ in operations of the engine: Davidson's method; for the smallest of A·x = λx */
  preconditioner?: Precondition;
  /** largest residual ‖Ax − θBx‖ over ‖A‖‖x‖, 1e-9 if left out */
  tolerance?: number;
  /** count eigenvalues by factorizations, to show that none is missing; left out: where that takes seconds at most */
  proof?: boolean;
  /** left out: the fastest available */
  engine?: Engine;
}

export interface EigsAnswer {
  /** the smallest ascending, the largest descending, the nearest by their distance from sigma */
  values: number[];
  /** n×p with A·X = B·X·Diag(values) and XᵀBX = I; the largest entry of each column is positive */
  vectors: Matrix;
  /** ‖A·x − θ·B·x‖₂ of each pair */
  residuals: number[];
  /** |λ − θ| ≤ bounds[j] for an eigenvalue λ of its own; absent where B is too large for a bound of its smallest eigenvalue */
  bounds?: number[];
  certificate: EigsCertificate;
  /** all residuals are within the tolerance, or at the rounding floor */
  converged: boolean;
  /** the method, in words */
  method: string;
  /** products with A, and solutions with a factor of A − σB, in columns */
  products: number;
  solves: number;
  /** calls of A in the run */
  evaluations: Evaluations;
  seconds: number;
  /** remarks, in words */
  notes: string[];
}

const NAME = "eigs";
/** Largest residual over ‖A‖ that is asked for: eigenvalues are then accurate to roundoff unless they are clustered */
const TOLERANCE = 1e-9;
/** Size up to which all eigenpairs take milliseconds, share of them from which all take no longer, and the size up to which memory holds them */
const [SMALL, SHARE, LARGEST] = [256, 1 / 3, 4000];
/** Flops of a factorization that counts eigenvalues, without `proof`: a second on one core */
const PROOF_FLOPS = 5e9;
/** Distance at the rounding floor: part of ‖A‖ that is accepted as convergence */
const FLOOR = 1e-12;

const schema = {
  p: whole(1),
  which: oneOf(["smallest", "largest", "nearest"]),
  sigma: finite,
  B: anything,
  n: whole(1),
  preconditioner: func,
  tolerance: positive,
  proof: bool,
  engine: anything,
  seed: whole(0),
  signal,
  maxSeconds: positive,
  maxEvaluations: positive,
} satisfies Schema;

/**
 * p eigenvalues of a symmetric A, or of A·x = λB·x, with eigenvectors: the smallest, the largest, or those nearest to `sigma`. A is dense
 * (rows of numbers, { rows, cols, data }, an ndarray), sparse, tridiagonal, or a function x ↦ A·x with its size n.
 *
 *     const { values, vectors, bounds, certificate } = await eigs([[2, 1], [1, 2]], { p: 1 });   // values[0] = 1
 *     await eigs(sparseFromTriplets(n, n, i, j, v), { p: 6, sigma: 3 });
 *     await eigs((x) => x.map((v, i) => (i + 1) * v), { n: 1000, p: 3, which: "largest" });
 *
 * Small matrices are factorized; else Krylov spaces of A, or of (A − σB)⁻¹ by a sparse factorization, Davidson's method with a
 * preconditioner. `certificate` says what was shown: that each value is within its bound of an eigenvalue, and whether none was missed.
 */
export async function eigs(A: OperatorInput, given: EigsOptions | number): Promise<EigsAnswer> {
  const begin = performance.now();
  const o = checkedOptions(given);
  const wanted: Wanted = o.which === "nearest" ? { which: o.which, sigma: o.sigma! } : { which: o.which };
  return withEngine(o.engine, async (E) => {
    const pencil = pencilOf(E, NAME, A, o.B, o.n);
    const { n } = pencil;
    if (o.p > n) throw new ProblemError(`${NAME}: p = ${o.p} is above n = ${n}; ask for ${n} or fewer.`);
    const metric = pencil.B ? leastEigenvalue(NAME, pencil) : 1;
    const tolerance = o.tolerance ?? TOLERANCE;
    const found = await solved(pencil, wanted, o, tolerance * pencil.A.norm);
    const counter = counterOf(pencil, found.shifted, metric, o.proof);
    const rounding = found.pairs.theta.map((value, _, { length: q }) => residualRounding(pencil, value, q));
    const computed = { ...found.pairs, rounding, metric, total: n };
    const { order, bounds, certificate } = proofOf(computed, wanted, o.p, counter);
    const { values, vectors, residuals } = chosenPairs(found.pairs, order);
    const { method, solves = 0, run, notes = [] } = found;
    const worst = Math.max(...residuals) / pencil.A.norm;
    return {
      values,
      vectors,
      residuals,
      ...(bounds && { bounds }),
      certificate,
      converged: !(worst > Math.max(1.01 * tolerance * Math.sqrt(o.p), FLOOR)) || run?.status === "rounding",
      method,
      products: pencil.count.products,
      solves,
      evaluations: run?.evaluations ?? { f: 0, grad: 0, hvp: 0 },
      seconds: (performance.now() - begin) / 1000,
      notes: [...notes, ...(run && !run.reason.converged ? [run.reason.text] : [])],
    };
  });
}

type Checked = EigsOptions & { which: "smallest" | "largest" | "nearest" };

function checkedOptions(given: EigsOptions | number): Checked {
  const o = chosenOptions(NAME, typeof given === "number" ? { p: given } : given, schema);
  if (o.p === undefined) throw new ProblemError(`${NAME}: p, the number of eigenvalues, is missing; give { p }.`);
  const which = o.which ?? (o.sigma === undefined ? "smallest" : "nearest");
  if (which === "nearest" && o.sigma === undefined) {
    throw new ProblemError(
      `${NAME}: which is 'nearest' but there is no sigma; give the number whose neighbours are wanted.`,
    );
  }
  if (which !== "nearest" && o.sigma !== undefined) {
    throw new ProblemError(`${NAME}: which is '${which}' but sigma is ${o.sigma}; leave one of them out.`);
  }
  if (o.preconditioner && (which !== "smallest" || o.B !== undefined)) {
    throw new ProblemError(`${NAME}: a preconditioner is for the smallest eigenvalues of A·x = λx; leave it out.`);
  }
  return { ...o, which };
}

interface Found {
  readonly pairs: RitzPairs;
  readonly method: string;
  readonly solves?: number;
  readonly run?: Result;
  readonly notes?: string[];
  /** of this pencil, where a run has analysed it */
  readonly shifted?: ShiftedPencil | undefined;
}

async function solved(pencil: Pencil, wanted: Wanted, o: Checked, residual: number): Promise<Found> {
  const { E, n, B } = pencil;
  const { p } = o;
  if (!E.ranks && n <= LARGEST && (n <= SMALL || p > SHARE * n)) {
    return {
      pairs: ritzPairs(pencil, wholeSpectrum(NAME, pencil)),
      method: "all eigenvectors, by a dense factorization",
    };
  }
  const { seed, signal: stop, maxSeconds, maxEvaluations } = o;
  const limits: SolveOptions = Object.fromEntries(
    Object.entries({ seed, signal: stop, maxSeconds, maxEvaluations }).filter(([, value]) => value !== undefined),
  );
  const options: RunOptions = { ...limits, tol: residual, precondition: o.preconditioner };
  const fromRun = (run: Result, method: string): Found => ({ pairs: ritzPairs(pencil, tallOf(E, run.X)), run, method });
  if (wanted.which !== "nearest" && !B) {
    const run = await endOfSpectrum(pencil, p, wanted.which === "largest", options);
    return fromRun(run, `${run.run.method}: ${run.run.why}`);
  }
  // the largest are the smallest of −A − λB
  const turned = wanted.which === "largest" ? turn(pencil) : pencil;
  const shifted = shiftedPencil(turned);
  const sigma = wanted.which === "nearest" ? wanted.sigma : shifted && shiftBelow(shifted);
  if (shifted && sigma !== undefined) {
    const near = await nearestPairs(NAME, turned, shifted, sigma, p, { ...limits, residual });
    const method = `Krylov spaces of (A − σB)⁻¹ by a factorization, σ = ${digits(turned === pencil ? near.sigma : -near.sigma, 6)}`;
    if (turned === pencil) return { ...near, method, shifted };
    return { ...near, pairs: mirrored(near.pairs), method };
  }
  if (wanted.which !== "nearest") {
    const run = await endOfSpectrum(pencil, p, wanted.which === "largest", options);
    return fromRun(run, `${run.run.method}: ${run.run.why}`);
  }
  if (B)
    throw new ProblemError(
      `${NAME}: A − σB cannot be factorized here: ${reasonAgainst(pencil)}; ask for the smallest or the largest.`,
    );
  const run = await nearestByProducts(pencil, p, wanted.sigma, { ...options, tol: residual * pencil.A.norm });
  const notes = [
    `A − σI cannot be factorized here (${reasonAgainst(pencil)}): the eigenvectors are those of (A − σI)², which converge slowly`,
  ];
  return { ...fromRun(run, "products with (A − σI)²"), notes };
}

const turn = ({ A, ...rest }: Pencil): Pencil => ({
  ...rest,
  A: {
    ...A,
    ...(A.matrix && { matrix: negative(A.matrix) }),
    apply(Y, X) {
      A.apply(Y, X);
      rest.E.combine(Y, -1, Y, 0, Y);
    },
  },
});

/** Pairs of A from those of −A, ascending again */
function mirrored({ theta, X, residual, defect }: RitzPairs): RitzPairs {
  const { rows, cols, data } = X;
  const x = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) x[i * cols + j] = data[i * cols + cols - 1 - j]!;
  const values = theta.map((v) => -v).reverse();
  return { theta: values, X: { rows, cols, data: x }, residual: residual.slice().reverse(), defect };
}

function counterOf(pencil: Pencil, analysed: ShiftedPencil | undefined, metric: number | undefined, proof?: boolean) {
  if (proof === false) return "a proof was not asked for";
  const shifted = analysed ?? shiftedPencil(pencil);
  if (!shifted || metric === undefined) return reasonAgainst(pencil);
  if (proof === undefined && shifted.flops > PROOF_FLOPS) {
    return `a factorization takes ${digits(shifted.flops, 2)} operations; proof: true allows them`;
  }
  return inertiaCounter(shifted, metric);
}

function reasonAgainst({ E, A }: Pencil): string {
  if (E.ranks) return "rows are distributed";
  return A.matrix ? "its factors would be too large" : "A is a function, and no matrix that could be factorized";
}
