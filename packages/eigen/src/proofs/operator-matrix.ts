/** The matrix B of a quadratic form, if it is declared or can be formed within the allowance. */

import type { Allowance, QuadraticForm } from "@expen/core";
import type { Engine, Matrix, Small, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { digits } from "@expen/linalg";
import {
  type Diagonals,
  isSparse,
  mapDiagonals,
  sizesOf,
  sparseIsSymmetric,
  sparseSymmetricPart,
  sparseToDense,
  toTridiagonal,
  unitScale,
} from "@expen/linalg/arrays";
import { denseOf, norm, trace } from "@expen/linalg/dense";
import { isOf, numbersOf } from "@expen/linalg/engine";
import { analysed, type Symbolic } from "@expen/linalg/ldlt";
import { LARGEST_DENSE } from "../krylov/direct-eigenvectors.js";
import { DIFFERENCE, declaredDifference } from "./declared-product.js";

/** Flops that every proof may take, a second or two on one core; a longer run allows as many as its own */
const PROOF_FLOPS = 5e9;
/** Most entries of a low-rank factor, usually a copy of data: half a gigabyte */
const LARGEST_FACTOR = 2 ** 26;
/** Columns of B that may always be formed, whatever the budget of evaluations: as many products as a short run */
const FREE_COLUMNS = 400;
/** Number of blocks of columns in which `apply` multiplies the identity */
const PIECES = 3;
/** Cost over m³ of all eigenvectors of an m×m matrix and of their residual, with LAPACK, and without it in the same unit of time */
const [LAPACK, PLAIN] = [14, 60];

export type KnownMatrix =
  /** B is a copy, to be overwritten */
  | ({ readonly kind: "dense"; readonly B: Small; readonly norm: number; readonly trace: number } & Product)
  | ({ readonly kind: "sparse" } & SparseMatrix & Product)
  | ({ readonly kind: "tridiagonal"; readonly T: Diagonals } & Product)
  | ({ readonly kind: "low-rank" } & Gram & Product);
/** weight·TTᵀ */
export interface Gram {
  readonly T: Tall;
  readonly weight: number;
}
/** A = Aᵀ to the last bit */
export interface SparseMatrix {
  readonly A: Sparse;
  readonly symbolic: Symbolic;
}
interface Product {
  /** Y ← B·X for tall matrices */
  readonly apply: (Y: Tall, X: Tall) => void;
  /** bound of ‖B − B'‖₂, B' the matrix of the form's own `apply` */
  readonly difference: number;
}
export type Dense = Extract<KnownMatrix, { kind: "dense" }>;
type None = { readonly kind: "none"; readonly why: string };
type OperatorMatrix = KnownMatrix | None;

const isTridiagonal = (M: Matrix | Sparse | Tridiagonal): M is Tridiagonal => "main" in M;
const OTHER = "the declared matrix is not what apply multiplies with: no proof is tried";
const ASYMMETRIC = "B is not symmetric: no proof is tried";
const none = (why: string): None => ({ kind: "none", why });
const tooLong = (flops: number, instead = ""): None =>
  none(`a proof would take ${digits(flops, 2)} operations${instead}`);

/** The form of an n×p problem, and the flops that a proof of it may take */
interface Task {
  readonly E: Engine;
  readonly form: QuadraticForm;
  readonly n: number;
  readonly p: number;
  readonly limit: number;
}

/**
 * The entries of B; X is any n×p matrix, with which `apply` is tried. A dense n×n matrix is a small one, so that no engine distributes
 * it; a tall factor is copied into a small one.
 */
export function operatorMatrix(E: Engine, form: QuadraticForm, X: Tall, allowance: Allowance): OperatorMatrix {
  const { matrix, lowRank } = form;
  if ((matrix || lowRank) && allowance.evaluations < 1) return none("a proof needs certificateBudget 1");
  const [n, p] = [X.rows, X.cols];
  const task: Task = { E, form, n, p, limit: Math.max(allowance.flops, PROOF_FLOPS) };
  if (!matrix) return (lowRank && lowRankMatrix(task, lowRank)) ?? formedMatrix(task, X, allowance);
  if (isTridiagonal(matrix)) return tridiagonalMatrix(task, matrix);
  return (isSparse(matrix) ? sparseMatrix(task, matrix) : undefined) ?? denseMatrix(task, matrix);
}

function tridiagonalMatrix({ E, form, n }: Task, matrix: Tridiagonal): OperatorMatrix {
  const T = tridiagonalSymmetricPart(mapDiagonals(matrix, (diagonal) => numbersOf(E, diagonal)));
  if (!T) return none(ASYMMETRIC);
  const { apply } = E.operator(toTridiagonal(T));
  return compared(E, form, n, E.operator(matrix).apply, { kind: "tridiagonal", T, apply });
}

/** Undefined if a sparse factorization takes too long and a dense one may not */
function sparseMatrix({ E, form, n, limit }: Task, matrix: Sparse): OperatorMatrix | undefined {
  const exact = sparseIsSymmetric(matrix);
  if (!exact && !sparseIsSymmetric(matrix, DIFFERENCE)) return none(ASYMMETRIC);
  const symbolic = analysed(matrix);
  if (symbolic && symbolic.flops <= limit) {
    const A = exact ? matrix : sparseSymmetricPart(matrix);
    const { apply } = E.operator(matrix);
    return compared(E, form, n, apply, { kind: "sparse", A, symbolic, apply: exact ? apply : E.operator(A).apply });
  }
  if (n <= LARGEST_DENSE) return undefined;
  return symbolic ? tooLong(symbolic.flops) : none("a proof would take factors of more than half a gigabyte");
}

/** Undefined if the Gram matrix of a factor takes too long and B itself may not */
function lowRankMatrix(
  { E, form, n, limit }: Task,
  lowRank: NonNullable<QuadraticForm["lowRank"]>,
): OperatorMatrix | undefined {
  const { weight, cols: m } = lowRank;
  const needed = n * m * m + (E.factor.library ? LAPACK : PLAIN) * m ** 3;
  if (needed > limit || n * m > LARGEST_FACTOR) return n > LARGEST_DENSE ? tooLong(needed) : undefined;
  const T = lowRank.factor();
  if (!isOf(E, T) || T.rows !== n || T.cols !== m) {
    return none(`lowRank.factor() gives no ${n}×${m} matrix of this engine: no proof is tried`);
  }
  const gram = scaledGram(E, T, weight);
  const apply = gramProduct(E, gram);
  return compared(E, form, n, apply, { kind: "low-rank", ...gram, apply });
}

/** Flops of Cholesky's factorization of B + XWXᵀ */
const choleskyFlops = ({ n, p }: Task): number => n ** 3 / 3 + 4 * n * n * p;

function tooLarge(task: Task): None | undefined {
  if (task.n > LARGEST_DENSE) {
    return none(
      `a proof is tried up to n = ${LARGEST_DENSE}, or for a B that is declared sparse, tridiagonal or of low rank`,
    );
  }
  return choleskyFlops(task) > task.limit ? tooLong(choleskyFlops(task)) : undefined;
}

function denseMatrix(task: Task, matrix: Matrix | Sparse): OperatorMatrix {
  const { E, form, n } = task;
  return (
    tooLarge(task) ?? symmetricPart(E, isSparse(matrix) ? sparseToDense(matrix).data : numbersOf(E, matrix), n, form)
  );
}

/** B·I, by products with blocks of columns of the identity */
function formedMatrix(task: Task, X: Tall, { evaluations }: Allowance): OperatorMatrix {
  const refused = tooLarge(task);
  if (refused) return refused;
  const { E, form, n, p, limit } = task;
  const calls = PIECES + 1;
  if (evaluations < calls || (n > FREE_COLUMNS && n > p * evaluations)) {
    const budget = Math.max(calls, n > FREE_COLUMNS ? Math.ceil(n / p) : 0);
    return none(`a proof needs the matrix of B: declare it, or allow certificateBudget ${budget}`);
  }
  const before = E.counters.flops;
  form.apply(E.tall(n, p), X);
  const counted = E.counters.flops - before;
  // a product that the engine does not count is assumed to be dense
  const needed = choleskyFlops(task) + n * (counted > 0 ? counted / p : 2 * n);
  if (needed > limit) return tooLong(needed, "; declare the matrix of B");
  return symmetricPart(E, denseOf(E, form.apply, n, Math.ceil(n / PIECES)), n);
}

/** The symmetric part of B, compared with the form that declares B; no proof if B is far from symmetric */
function symmetricPart(E: Engine, numbers: Float64Array, n: number, declares?: QuadraticForm): Dense | None {
  const { largest, difference: asymmetry, rowSum } = sizesOf(numbers, n);
  if (!(Number.isFinite(largest) && asymmetry <= DIFFERENCE * largest)) return none(ASYMMETRIC);
  const B = E.small(n, n, numbers);
  const apply: Product["apply"] = (Y, X) => {
    const y = E.small(X.rows, X.cols);
    E.mul(y, B, E.small(X.rows, X.cols, E.read(X)));
    E.write(Y, E.read(y));
  };
  const difference = declares ? declaredDifference(E, declares, n, apply) : 0;
  if (difference === undefined) return none(OTHER);
  if (asymmetry > 0) E.symmetrize(B);
  // ≥ ‖ |B| ‖₂ of a symmetric B
  const norm = rowSum + n * asymmetry;
  return { kind: "dense", B, norm, trace: trace({ rows: n, cols: n, data: numbers }), difference, apply };
}

/** The symmetric part of a tridiagonal matrix; undefined if it differs from the matrix by more than roundoff */
function tridiagonalSymmetricPart({ lower, main, upper }: Diagonals): Diagonals | undefined {
  const n = main.length;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    largest = Math.max(
      largest,
      Math.abs(main[i]!),
      i > 0 ? Math.abs(lower[i]!) : 0,
      i + 1 < n ? Math.abs(upper[i]!) : 0,
    );
  }
  const [l, u] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 1; i < n; i++) {
    if (!(Math.abs(lower[i]! - upper[i - 1]!) <= DIFFERENCE * largest)) return undefined;
    l[i] = u[i - 1] = 0.5 * lower[i]! + 0.5 * upper[i - 1]!;
  }
  return { lower: l, main, upper: u };
}

/** weight·TTᵀ with T scaled by a power of two if the squares of its entries would overflow or underflow */
function scaledGram(E: Engine, T: Tall, weight: number): Gram {
  const size = norm(E, T);
  if (size === 0 || (size > 1e-100 && size < 1e100)) return { T, weight };
  const c = unitScale(size);
  const scaled = E.tall(T.rows, T.cols);
  E.combine(scaled, c, T, 0, T);
  return { T: scaled, weight: weight / c / c };
}

/** Y ← weight·T(TᵀX) */
function gramProduct(E: Engine, { T, weight }: Gram): Product["apply"] {
  return (Y, X) => {
    const TX = E.small(T.cols, X.cols);
    E.tmul(TX, T, X);
    E.mul(Y, T, TX, weight);
  };
}

type Uncompared = KnownMatrix extends infer K ? (K extends KnownMatrix ? Omit<K, "difference"> : never) : never;

/** The same, with the difference between products with B as declared, not its symmetric part, and those of `apply` */
function compared(
  E: Engine,
  form: QuadraticForm,
  n: number,
  declared: Product["apply"],
  known: Uncompared,
): OperatorMatrix {
  const difference = declaredDifference(E, form, n, declared);
  return difference === undefined ? none(OTHER) : { ...known, difference };
}
