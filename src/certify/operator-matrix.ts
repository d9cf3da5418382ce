/** The matrix B of a declared quadratic form, where it is declared or can be had at a price that is allowed. */
import { unitScale } from "../arrays/scale.js";
import { sparseIsSymmetric, sparseSymmetricPart, sparseToDense } from "../arrays/sparse.js";
import { sizesOf } from "../arrays/symmetric.js";
import { type Diagonals, mapDiagonals, toTridiagonal } from "../arrays/tridiagonal.js";
import { isOf, numbersOf } from "../engines/own-matrix.js";
import { denseOf } from "../linalg/dense-of.js";
import { norm } from "../linalg/norm.js";
import { analysed, type Symbolic } from "../linalg/sparse-ldlt/symbolic.js";
import { trace } from "../linalg/trace.js";
import { digits } from "../numbers.js";
import { random } from "../random.js";
import type { Engine, Matrix, QuadraticForm, Small, Sparse, Tall, Tridiagonal } from "../types.js";
import type { Allowance } from "./types.js";

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
/**
 * ½⟨X, BX⟩ is that of (B + Bᵀ)/2, which is taken: B may be so far from symmetric, relative to its largest entry. Products with a declared
 * B and with `apply` may differ by as much, which goes into the bound.
 */
const DIFFERENCE = 1e-9;
/** Products with so many random vectors are compared: with a probability of 1 − 10⁻¹⁰ they show a tenth of ‖·‖₂. */
const [VECTORS, PART] = [8, 10];

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
  /** B and the matrix of the form's own `apply` differ by no more, in norm */
  readonly difference: number;
}
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
    const T = tridiagonalSymmetricPart(mapDiagonals(matrix, (diagonal) => numbersOf(E, diagonal)));
    if (!T) return none(ASYMMETRIC);
    const { apply } = E.operator(toTridiagonal(T));
    return compared(E, form, n, E.operator(matrix).apply, { kind: "tridiagonal", T, apply });
  }
  const factor = n ** 3 / 3 + 4 * n * n * p;
  if (matrix && "pointers" in matrix) {
    const exact = sparseIsSymmetric(matrix);
    if (!exact && !sparseIsSymmetric(matrix, DIFFERENCE)) return none(ASYMMETRIC);
    const symbolic = analysed(matrix);
    if (symbolic && symbolic.flops <= limit) {
      const A = exact ? matrix : sparseSymmetricPart(matrix);
      const { apply } = E.operator(matrix);
      return compared(E, form, n, apply, { kind: "sparse", A, symbolic, apply: exact ? apply : E.operator(A).apply });
    }
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
      const gram = scaledGram(E, T, weight);
      const apply = gramProduct(E, gram);
      return compared(E, form, n, apply, { kind: "low-rank", ...gram, apply });
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
    return dense(E, numbers, form);
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

/** The symmetric part of B in the engine, which was compared with a form that declares B; nothing where B is far from symmetric */
function dense(E: Engine, numbers: Matrix, form?: QuadraticForm): Dense | None {
  const n = numbers.rows;
  const { largest, difference: asymmetry, rowSum } = sizesOf(numbers.data, n);
  if (!(Number.isFinite(largest) && asymmetry <= DIFFERENCE * largest)) return none(ASYMMETRIC);
  const B = squareOf(E, n);
  E.write(B, numbers.data);
  const apply: Product["apply"] = (Y, X) => {
    const y = E.small(X.rows, X.cols);
    E.mul(y, B, E.small(X.rows, X.cols, E.read(X)));
    E.write(Y, E.read(y));
  };
  const difference = form ? differenceFrom(E, form, n, apply) : 0;
  if (difference === undefined) return none(OTHER);
  if (asymmetry > 0) E.symmetrize(B);
  // ≥ ‖ |B| ‖₂ of a symmetric B
  const size = rowSum + n * asymmetry;
  return { kind: "dense", B, norm: size, trace: trace(numbers), difference, apply };
}

/** The symmetric part of a tridiagonal matrix; nothing where it is no rounding from it */
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

/** weight·TTᵀ with a T whose entries have squares: T is scaled by a power of two where they have none */
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

/** The same with the difference of its products as declared, before its symmetric part was taken, from those of `apply` */
function compared(
  E: Engine,
  form: QuadraticForm,
  n: number,
  declared: Product["apply"],
  known: Uncompared,
): OperatorMatrix {
  const difference = differenceFrom(E, form, n, declared);
  return difference === undefined ? none(OTHER) : { ...known, difference };
}

/** ‖E‖₂ ≤ this for the difference E of two matrices, by products with random vectors; nothing where it is no rounding */
function differenceFrom(E: Engine, form: QuadraticForm, n: number, declared: Product["apply"]): number | undefined {
  const [Z, Y, BZ] = [E.tall(n, VECTORS), E.tall(n, VECTORS), E.tall(n, VECTORS)];
  E.write(Z, random(1, "declared matrix").normal);
  form.apply(Y, Z);
  declared(BZ, Z);
  const size = norm(E, BZ);
  E.combine(BZ, -1, Y, 1, BZ);
  const difference = norm(E, BZ);
  return difference <= DIFFERENCE * size ? PART * difference : undefined;
}
