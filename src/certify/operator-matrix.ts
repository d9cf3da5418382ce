/** The matrix B of a declared quadratic form, where it is declared or can be had at a price that is allowed. */
import { digits } from "../numbers.js";
import { fillNormal, random } from "../random.js";
import type { Engine, Matrix, QuadraticForm, Tridiagonal } from "../types.js";

/** A proof may take so many floating-point operations, or as many as the run did: a second or two on one core. */
export const PROOF_FLOPS = 5e9;
/** B is not written down as a dense matrix beyond this n. */
const LARGEST = 4000;
/** So many columns may be formed whatever the budget of evaluations: it is no more than a short run. */
const FREE_COLUMNS = 400;
/** The identity goes through `apply` in so many pieces. */
const PIECES = 3;
/** Relative differences from which it is not rounding */
const DIFFERENCE = 1e-9;

export interface Allowance {
  /** calls of `apply` that are left */
  readonly evaluations: number;
  /** operations of the run so far */
  readonly flops: number;
}

export type KnownMatrix =
  | { readonly kind: "dense"; readonly B: Matrix }
  | { readonly kind: "tridiagonal"; readonly T: Tridiagonal };
export type OperatorMatrix = KnownMatrix | { readonly kind: "none"; readonly why: string };

const isTridiagonal = (M: Matrix | Tridiagonal): M is Tridiagonal => "main" in M;
const OTHER = "the declared matrix is not what apply multiplies with: no proof is tried";
const ASYMMETRIC = "B is not symmetric: no proof is tried";
const none = (why: string): OperatorMatrix => ({ kind: "none", why });

/** B as a matrix of E of its own, to be overwritten; X is any n×p matrix to try `apply` with. */
export function operatorMatrix(
  E: Engine,
  form: QuadraticForm,
  X: Matrix,
  { evaluations, flops }: Allowance,
): OperatorMatrix {
  const [n, p] = [X.rows, X.cols];
  const limit = Math.max(flops, PROOF_FLOPS);
  const { matrix } = form;
  if (matrix && evaluations < 1) return none("a proof needs certificateBudget 1");
  if (matrix && isTridiagonal(matrix)) {
    const { lower, main, upper } = matrix;
    const T = { lower: E.from(lower), main: E.from(main), upper: E.from(upper) };
    return agrees(E, form, n, (y, z) => E.tridiagonal(y, T, z)) ? { kind: "tridiagonal", T } : none(OTHER);
  }
  if (n > LARGEST) return none(`a proof is tried up to n = ${LARGEST}, or for a B that is declared tridiagonal`);
  const factor = n ** 3 / 3 + 4 * n * n * p;
  if (factor > limit) return none(`a proof would take ${digits(factor, 2)} operations`);
  if (matrix) {
    const B = E.from(matrix);
    if (!symmetric(B)) return none(ASYMMETRIC);
    return agrees(E, form, n, (y, z) => E.apply(y, B, z)) ? { kind: "dense", B } : none(OTHER);
  }
  const calls = PIECES + 1;
  if (evaluations < calls || (n > FREE_COLUMNS && n > p * evaluations)) {
    const budget = Math.max(calls, n > FREE_COLUMNS ? Math.ceil(n / p) : 0);
    return none(`a proof needs the matrix of B: declare it, or allow certificateBudget ${budget}`);
  }
  const before = E.counters.flops;
  const Y = E.matrix(n, p);
  form.apply(Y, X);
  const seen = E.counters.flops - before;
  // a product that the engine does not see is taken for one with a dense matrix
  const forming = n * (seen > 0 ? seen / p : 2 * n);
  if (factor + forming > limit) {
    return none(`a proof would take ${digits(factor + forming, 2)} operations; declare the matrix of B`);
  }
  const B = formed(E, form, n);
  return symmetric(B) ? { kind: "dense", B } : none(ASYMMETRIC);
}

/** B·I, piece by piece */
function formed(E: Engine, { apply }: QuadraticForm, n: number): Matrix {
  const B = E.matrix(n, n);
  const width = Math.ceil(n / PIECES);
  for (let first = 0; first < n; first += width) {
    const count = Math.min(width, n - first);
    const [I, Y] = [E.matrix(n, count), E.matrix(n, count)];
    for (let j = 0; j < count; j++) I.data[(first + j) * count + j] = 1;
    apply(Y, I);
    const [b, y] = [B.data, Y.data];
    for (let i = 0; i < n; i++) b.set(y.subarray(i * count, (i + 1) * count), i * n + first);
  }
  return B;
}

/** Whether the rows are the columns, up to rounding; NaN is not symmetric. */
function symmetric({ rows: n, data }: Matrix): boolean {
  let largest = 0;
  for (const v of data) largest = Math.max(largest, Math.abs(v));
  const allowed = DIFFERENCE * largest;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) if (!(Math.abs(data[i * n + j]! - data[j * n + i]!) <= allowed)) return false;
  }
  return Number.isFinite(largest);
}

/** `apply` against the product with the declared matrix, at a random z */
function agrees(E: Engine, form: QuadraticForm, n: number, product: QuadraticForm["apply"]): boolean {
  const [z, y, Bz] = [E.matrix(n, 1), E.matrix(n, 1), E.matrix(n, 1)];
  fillNormal(z, random(1, "declared matrix"));
  form.apply(y, z);
  product(Bz, z);
  const size = Math.sqrt(E.dot(Bz, Bz));
  E.axpby(Bz, -1, y, 1);
  return Math.sqrt(E.dot(Bz, Bz)) <= DIFFERENCE * size;
}
