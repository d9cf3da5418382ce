/** The matrix B of a declared quadratic form, where it is declared or can be had at a price that is allowed. */
import { sparseIsSymmetric, sparseToDense } from "../arrays/sparse.js";
import { sizesOf } from "../arrays/symmetric.js";
import { type Diagonals, mapDiagonals, toTridiagonal } from "../arrays/tridiagonal.js";
import { isOf, numbersOf } from "../engines/own-matrix.js";
import { denseOf } from "../linalg/dense-of.js";
import { analysed, type Symbolic } from "../linalg/sparse-ldlt/symbolic.js";
import { trace } from "../linalg/trace.js";
import { digits } from "../numbers.js";
import { random } from "../random.js";
import type { Engine, Matrix, QuadraticForm, Small, Sparse, Tall, Tridiagonal } from "../types.js";

/** A proof may take so many floating-point operations, or as many as the run did: a second or two on one core. */
const PROOF_FLOPS = 5e9;
/** B is not written down as a dense matrix beyond this n. */
const LARGEST = 4000;
/** A factor of low rank, mostly a copy of data, is not made of more numbers: half a gigabyte. */
const LARGEST_FACTOR = 2 ** 26;
/** So many columns may be formed whatever the budget of evaluations: it is no more than a short run. */
const FREE_COLUMNS = 400;
/** The identity goes through `apply` in so many pieces. */
const PIECES = 3;
/** All eigenvectors of an m×m matrix and a look at them: so many m³, with LAPACK and without, where they are slower ones */
const [LAPACK, PLAIN] = [14, 60];
/** Relative differences from which it is not rounding */
const DIFFERENCE = 1e-9;
const SPARSE_DIFFERENCE = 1e-12;

export interface Allowance {
  /** calls of `apply` that are left */
  readonly evaluations: number;
  /** operations of the run so far */
  readonly flops: number;
}

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
/** A_ij and A_ji differ by at most `difference` of the largest entry. */
export interface SparseMatrix {
  readonly A: Sparse;
  readonly symbolic: Symbolic;
  readonly difference: number;
}
/** Y ← B·X for tall matrices */
type Product = { readonly apply: (Y: Tall, X: Tall) => void };
export type Dense = Extract<KnownMatrix, { kind: "dense" }>;
type None = { readonly kind: "none"; readonly why: string };
type OperatorMatrix = KnownMatrix | None;

const isTridiagonal = (M: Matrix | Sparse | Tridiagonal): M is Tridiagonal => "main" in M;
const OTHER = "the declared matrix is not what apply multiplies with: no proof is tried";
const ASYMMETRIC = "B is not symmetric: no proof is tried";
const none = (why: string): None => ({ kind: "none", why });

/**
 * B as numbers; X is any n×p matrix to try `apply` with. Work with a dense n×n matrix is that with a small one: no engine spreads it, and
 * a tall factor is copied into a small one for it.
 */
export function operatorMatrix(
  E: Engine,
  form: QuadraticForm,
  X: Tall,
  { evaluations, flops }: Allowance,
): OperatorMatrix {
  const [n, p] = [X.rows, X.cols];
  const limit = Math.max(flops, PROOF_FLOPS);
  const { matrix, lowRank } = form;
  if ((matrix || lowRank) && evaluations < 1) return none("a proof needs certificateBudget 1");
  if (matrix && isTridiagonal(matrix)) {
    const T = mapDiagonals(matrix, (diagonal) => numbersOf(E, diagonal));
    const { apply } = E.operator(toTridiagonal(T));
    return agrees(E, form, n, apply) ? { kind: "tridiagonal", T, apply } : none(OTHER);
  }
  const factor = n ** 3 / 3 + 4 * n * n * p;
  if (matrix && "pointers" in matrix) {
    const exact = sparseIsSymmetric(matrix);
    if (!exact && !sparseIsSymmetric(matrix, SPARSE_DIFFERENCE)) return none(ASYMMETRIC);
    const difference = exact ? 0 : SPARSE_DIFFERENCE;
    const symbolic = analysed(matrix);
    const { apply } = E.operator(matrix);
    if (symbolic && symbolic.flops <= limit)
      return agrees(E, form, n, apply) ? { kind: "sparse", A: matrix, symbolic, difference, apply } : none(OTHER);
    if (n > LARGEST) {
      const needs = symbolic ? `${digits(symbolic.flops, 2)} operations` : "factors of more than half a gigabyte";
      return none(`a proof would take ${needs}`);
    }
  }
  if (lowRank && !matrix) {
    const { weight, cols: m } = lowRank;
    const needed = n * m * m + (E.factor.library ? LAPACK : PLAIN) * m ** 3;
    if (needed <= limit && n * m <= LARGEST_FACTOR) {
      const T = lowRank.factor();
      if (!isOf(E, T) || T.rows !== n || T.cols !== m) {
        return none(`lowRank.factor() gives no ${n}×${m} matrix of this engine: no proof is tried`);
      }
      const apply = gramProduct(E, T, weight);
      return agrees(E, form, n, apply) ? { kind: "low-rank", T, weight, apply } : none(OTHER);
    }
    if (n > LARGEST) return none(`a proof would take ${digits(needed, 2)} operations`);
  }
  if (n > LARGEST)
    return none(
      `a proof is tried up to n = ${LARGEST}, or for a B that is declared sparse, tridiagonal or of low rank`,
    );
  if (factor > limit) return none(`a proof would take ${digits(factor, 2)} operations`);
  if (matrix) {
    const numbers = "pointers" in matrix ? sparseToDense(matrix) : { rows: n, cols: n, data: numbersOf(E, matrix) };
    const known = dense(E, numbers);
    return known.kind === "none" || agrees(E, form, n, known.apply) ? known : none(OTHER);
  }
  const calls = PIECES + 1;
  if (evaluations < calls || (n > FREE_COLUMNS && n > p * evaluations)) {
    const budget = Math.max(calls, n > FREE_COLUMNS ? Math.ceil(n / p) : 0);
    return none(`a proof needs the matrix of B: declare it, or allow certificateBudget ${budget}`);
  }
  const before = E.counters.flops;
  const Y = E.tall(n, p);
  form.apply(Y, X);
  const seen = E.counters.flops - before;
  // a product that the engine does not see is taken for one with a dense matrix
  const forming = n * (seen > 0 ? seen / p : 2 * n);
  if (factor + forming > limit) {
    return none(`a proof would take ${digits(factor + forming, 2)} operations; declare the matrix of B`);
  }
  const data = denseOf(E, form.apply, n, Math.ceil(n / PIECES));
  return dense(E, { rows: n, cols: n, data });
}

/**
 * The n×n matrix of the last proof on an engine, while the collector has not taken it: to touch new pages takes longer than a copy does,
 * and a proof of small n beside it.
 */
const lastSquare = new WeakMap<Engine, WeakRef<Small>>();
function squareOf(E: Engine, n: number): Small {
  let B = lastSquare.get(E)?.deref();
  if (B?.rows !== n) lastSquare.set(E, new WeakRef((B = E.small(n, n))));
  return B;
}

/** What a proof asks of the numbers of B, and B in the engine; nothing where it is not symmetric */
function dense(E: Engine, numbers: Matrix): Dense | None {
  const n = numbers.rows;
  const { largest, difference, rowSum } = sizesOf(numbers.data, n);
  if (!(Number.isFinite(largest) && difference <= DIFFERENCE * largest)) return none(ASYMMETRIC);
  const B = squareOf(E, n);
  E.write(B, numbers.data);
  return {
    kind: "dense",
    B,
    // ≥ ‖ |B| ‖₂ of a symmetric B
    norm: rowSum,
    trace: trace(numbers),
    apply(Y, X) {
      const y = E.small(X.rows, X.cols);
      E.mul(y, B, E.small(X.rows, X.cols, E.read(X)));
      E.write(Y, E.read(y));
    },
  };
}

/** Y ← weight·T(TᵀX) */
function gramProduct(E: Engine, T: Tall, weight: number): Product["apply"] {
  return (Y, X) => {
    const TX = E.small(T.cols, X.cols);
    E.tmul(TX, T, X);
    E.mul(Y, T, TX, weight);
  };
}

/** `apply` against the product with the declared matrix, at a random z */
function agrees(E: Engine, form: QuadraticForm, n: number, product: QuadraticForm["apply"]): boolean {
  const [z, y, Bz] = [E.tall(n, 1), E.tall(n, 1), E.tall(n, 1)];
  E.write(z, random(1, "declared matrix").normal);
  form.apply(y, z);
  product(Bz, z);
  const size = Math.sqrt(E.dot(Bz, Bz));
  E.combine(Bz, -1, y, 1, Bz);
  return Math.sqrt(E.dot(Bz, Bz)) <= DIFFERENCE * size;
}
