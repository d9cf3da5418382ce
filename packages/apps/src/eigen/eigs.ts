import type { ComplexMatrix, Evaluations } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { HostMatrix, Matrix, Sparse } from "@expen/linalg";
import { digits, ProblemError } from "@expen/linalg";
import { type Counter, distanceTo, type Target } from "./completeness.js";
import { eigenpairs, reasonAgainst } from "./eigenpairs.js";
import { checkedOptions, type EigsOptions, NAME } from "./eigs-options.js";
import { complexPairs, complexVectors, type HermitianInput, halved, isHermitian, realForm } from "./hermitian.js";
import { leastEigenvalue } from "./least-eigenvalue.js";
import { isProduct, type Pencil, pencilOf, requireScale } from "./pencil.js";
import { type EigsCertificate, inertiaCounter, proofOf } from "./proof.js";
import type { BlockProduct, MatrixInput, OperatorInput } from "./read-matrix.js";
import { realVectors, residualRounding } from "./ritz.js";
import { type ShiftedPencil, shiftedPencil } from "./shifted-pencil.js";

/** Eigenvalues and eigenvectors of `eigs`, with residuals, bounds, and what was shown of them */
export interface EigsAnswer {
  /** the smallest ascending, the largest descending, the nearest by their distance from sigma */
  values: number[];
  /** n×p with A·X = B·X·Diag(values) and XᵀBX = I; the largest entry of each column is positive. Under MPI the rows of this process */
  vectors: HostMatrix;
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

/** The answer for a complex A or B */
export interface HermitianAnswer extends Omit<EigsAnswer, "vectors"> {
  /** n×p with A·X = B·X·Diag(values) and XᴴBX = I; the entry of largest modulus of each column is real and positive */
  vectors: ComplexMatrix<HostMatrix>;
}

/** Largest residual over ‖A‖ that is asked for: eigenvalues are then accurate to roundoff unless they are clustered */
const TOLERANCE = 1e-9;
/** Flops of a factorization that counts eigenvalues, without `proof`: a second on one core */
const PROOF_FLOPS = 5e9;
/** Distance at the rounding floor: part of ‖A‖ that is accepted as convergence */
const FLOOR = 1e-12;

/**
 * p eigenvalues of a symmetric A, or of A·x = λB·x, with eigenvectors: the smallest, the largest, or those nearest to `sigma`. A is dense
 * (rows of numbers, { rows, cols, data }, an ndarray), sparse, tridiagonal, or a function x ↦ A·x with its size n.
 *
 *     const { values, vectors, bounds, certificate } = await eigs([[2, 1], [1, 2]], { p: 1 });   // values[0] = 1
 *     await eigs(sparseFromTriplets(n, n, i, j, v), { p: 6, sigma: 3 });
 *     await eigs({ re: [[2, 0], [0, 2]], im: [[0, -1], [1, 0]] }, 1);   // Hermitian: 1
 *     await eigs((x) => x.map((v, i) => (i + 1) * v), { n: 1000, p: 3, which: "largest" });
 *
 * Small matrices are factorized; else Krylov spaces of A, or of (A − σB)⁻¹ by a sparse factorization, Davidson's method with a
 * preconditioner. `certificate` says what was shown: that each value is within its bound of an eigenvalue, and whether none was missed.
 */
export async function eigs(A: HermitianInput, options: EigsOptions | number): Promise<HermitianAnswer>;
export async function eigs(A: MatrixInput | BlockProduct, options: EigsOptions | number): Promise<EigsAnswer>;
export async function eigs(A: OperatorInput, options: EigsOptions | number): Promise<EigsAnswer>;
export async function eigs(
  source: OperatorInput | HermitianInput,
  options: EigsOptions | number,
): Promise<EigsAnswer | HermitianAnswer> {
  const begin = performance.now();
  const o = checkedOptions(options);
  const target: Target = o.which === "nearest" ? { which: o.which, sigma: o.sigma! } : { which: o.which };
  const isComplex = isHermitian(source) || isHermitian(o.B);
  const [A, B] = isComplex ? realForms(source, o) : [source, o.B];
  return withEngine(o.engine, async (E) => {
    if (isComplex && E.ranks)
      throw new ProblemError(`${NAME}: A is complex and its rows are distributed; give its real form.`);
    const pencil = pencilOf(E, NAME, A, B, isComplex ? undefined : o.n, o.solve);
    const n = isComplex ? pencil.n / 2 : pencil.n;
    if (o.p > n) throw new ProblemError(`${NAME}: p = ${o.p} is above n = ${n}; ask for ${n} or fewer.`);
    if (pencil.B) requireScale(NAME, "B", pencil.B.norm);
    // the norm of B⁻¹ takes no bound of λmin(B)
    const metric = pencil.B && !pencil.inverse ? leastEigenvalue(NAME, pencil) : 1;
    const tolerance = o.tolerance ?? TOLERANCE;
    const ofForm = isComplex ? { ...o, p: 2 * o.p } : o;
    const solution = await eigenpairs(pencil, target, ofForm, tolerance * pencil.A.norm);
    const { method, solves = 0, run, notes = [] } = solution;
    const pairs = isComplex ? complexPairs(pencil, solution.pairs) : solution.pairs;
    const distance = distanceTo(target);
    const nearest = Array.from(pairs.theta, (theta, j) => ({ t: distance(theta), r: pairs.residual[j]! }))
      .sort((a, b) => a.t - b.t)
      .slice(0, o.p);
    const worst = Math.max(...nearest.map(({ r }) => r)) / pencil.A.norm;
    const limit = Math.max(tolerance * Math.sqrt(o.p), FLOOR);
    const converged = !(worst > limit) || run?.status === "rounding";
    const counter = converged ? counterOf(pencil, solution.shifted, metric, o.proof) : "the run did not converge";
    const unit = Math.sqrt(pencil.inverse?.norm ?? 1);
    const rounding = pairs.theta.map((value, _, { length: q }) => unit * residualRounding(pencil, value, q));
    const computed = { ...pairs, residual: pairs.dual ?? pairs.residual, rounding, metric, total: n };
    const { order, bounds, certificate } = proofOf(computed, target, o.p, isComplex ? halved(counter) : counter);
    return {
      values: order.map((j) => pairs.theta[j]!),
      vectors: isComplex ? complexVectors(pairs, order) : realVectors(E, pairs, order),
      residuals: order.map((j) => pairs.residual[j]!),
      ...(bounds && { bounds }),
      certificate,
      converged,
      method,
      products: pencil.count.products,
      solves,
      evaluations: run?.evaluations ?? { f: 0, grad: 0, hvp: 0 },
      seconds: (performance.now() - begin) / 1000,
      notes: [...notes, ...(run && !run.reason.converged ? [run.reason.text] : [])],
    } as EigsAnswer | HermitianAnswer;
  });
}

/** The real forms of A and B, where one of them is complex */
function realForms(
  A: OperatorInput | HermitianInput,
  { B, n, preconditioner }: EigsOptions,
): [Matrix | Sparse, (Matrix | Sparse)?] {
  for (const [letter, M] of [["A", A] as const, ["B", B] as const]) {
    if (isProduct(M))
      throw new ProblemError(`${NAME}: ${letter} is a function beside a complex matrix; give both as matrices.`);
  }
  if (preconditioner) throw new ProblemError(`${NAME}: a preconditioner is for a real A; leave it out.`);
  const form = realForm(NAME, "A", A as HermitianInput);
  if (n !== undefined && 2 * n !== form.rows)
    throw new ProblemError(`${NAME}: n is ${n} but A is ${form.rows / 2}×${form.rows / 2}; leave n out.`);
  return B === undefined ? [form] : [form, realForm(NAME, "B", B as HermitianInput)];
}

function counterOf(
  pencil: Pencil,
  analysed: ShiftedPencil | undefined,
  metric: number | undefined,
  proof?: boolean,
): Counter | string {
  if (proof === false) return "a proof was not asked for";
  const shifted = analysed ?? shiftedPencil(pencil);
  if (!shifted || metric === undefined) return reasonAgainst(pencil);
  if (proof === undefined && shifted.flops > PROOF_FLOPS) {
    return `a factorization takes ${digits(shifted.flops, 2)} operations; proof: true allows them`;
  }
  return inertiaCounter(shifted, metric);
}
