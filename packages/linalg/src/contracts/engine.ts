/** The operations of an engine on matrices, and the chains, factorizations and operators that belong to it. */
import type { ElementwiseName } from "./elementwise.js";
import type { Inspected, Matrix, Small, Sparse, Tall, Tridiagonal } from "./matrix.js";
import type { Ranks } from "./ranks.js";

/**
 * Elementwise operations one after the other, as data that every engine can run in one pass; `chain` writes them as functions.
 * Registers: 0 … inputs − 1 are the inputs, inputs + i is the result of instruction i.
 */
export interface Chain {
  readonly inputs: number;
  /** may change between calls */
  readonly constants?: ArrayLike<number>;
  readonly code: readonly Instruction[];
  /** the registers that become the outputs */
  readonly outputs: readonly number[];
  /** the register whose entries are added up */
  readonly sum?: number;
}

/** `args`: registers of earlier instructions or inputs; −1 − i stands for constant i in every entry. */
export interface Instruction {
  readonly op: ElementwiseName;
  readonly args: readonly number[];
}

/**
 * The operations on matrices, as a plain object of functions that needs no `this`.
 *
 * The destination comes first and is not read where its coefficient b is 0. It is never one of the inputs, but for `combine`.
 * Only `tall`, `small`, `operator` and `read` without a destination allocate. Every call checks owner, kinds, shapes and aliasing, and
 * throws an `EngineError` in one sentence.
 *
 * Products that contract over the n rows (`gram`, `tmul`, `dot`, `dots`, operators) stand apart from those that treat rows independently
 * (`mul`, …): an engine that spreads rows over processes communicates in the first kind only.
 */
export interface Engine {
  readonly name: string;
  /** Library, SIMD level and threads, for people to read. */
  readonly description: string;
  /**
   * Work done so far: matrices made, flops of the products, entries that all other operations went over, how often a memory that grew
   * emptied the `data` read before.
   */
  readonly counters: { matrices: number; flops: number; entries: number; readonly emptied?: number };

  /** A new tall matrix: zeros, or a copy of the numbers, row after row. */
  tall(rows: number, cols: number, numbers?: ArrayLike<number>): Tall;
  /** A new small matrix, likewise. */
  small(rows: number, cols: number, numbers?: ArrayLike<number>): Small;
  /** The numbers of A, row after row, in host memory: in `into` if given, else in a new array. */
  read(A: Tall | Small, into?: Float64Array): Float64Array;
  /** A ← the numbers, row after row; a function is called for each in turn, in every process alike. */
  write(A: Tall | Small, numbers: ArrayLike<number> | (() => number)): void;

  /** S ← AᵀA + b·S, S symmetric */
  gram(S: Small, A: Tall | Small, b?: number): void;
  /** S ← a·AᵀB + b·S */
  tmul<M extends Tall | Small>(S: Small, A: M, B: M, a?: number, b?: number): void;
  /** Y ← a·A·S + b·Y */
  mul<M extends Tall | Small>(Y: M, A: M, S: Small, a?: number, b?: number): void;
  /** Y ← a·A·Bᵀ + b·Y, B small where Y is tall */
  mulT<M extends Tall | Small>(Y: M, A: M, S: Small, a?: number, b?: number): void;
  /** ⟨X, Y⟩ = tr XᵀY */
  dot<M extends Tall | Small>(X: M, Y: M): number;
  /** r_i ← ⟨X_i, Y⟩ for the first `count` matrices of Xs, reading Y once */
  dots<M extends Tall | Small>(r: Float64Array, Xs: readonly M[], count: number, Y: M): void;
  /** Room for inner products that travel together. */
  sums(places: number): Sums;

  /** Y ← X */
  copy<M extends Tall | Small>(Y: M, X: M): void;
  /** Y ← a in every entry */
  fill(Y: Tall | Small, a: number): void;
  /** Z ← a·X + b·Y; Z may be X or Y */
  combine<M extends Tall | Small>(Z: M, a: number, X: M, b: number, Y: M): void;
  /** Z ← Σ c_i·X_i over the first `count` matrices of Xs + b·Z, writing Z once */
  combination<M extends Tall | Small>(Z: M, c: Float64Array, Xs: readonly M[], count: number, b?: number): void;
  /** outputs ← chain(inputs), entry by entry, all of one shape; returns the sum over the chain's `sum` register, 0 if it has none */
  map<M extends Tall | Small>(outputs: readonly M[], chain: Chain, inputs: readonly M[]): number;

  /** S ← (S + Sᵀ)/2 */
  symmetrize(S: Small): void;
  /** S ← S + a·I */
  addDiagonal(S: Small, a: number): void;

  /** r_i ← Σ_j X_ij·Y_ij, r of size n×1 */
  rowDots<M extends Tall | Small>(r: M, X: M, Y: M): void;
  /** Y ← a·Diag(r)·X + b·Y */
  scaleRows<M extends Tall | Small>(Y: M, r: M, X: M, a?: number, b?: number): void;

  /** Factorizations of small matrices. */
  readonly factor: Factorizations;
  /** A as a linear map. The numbers of A are copied; those of a lent matrix are read where they lie. */
  operator(A: Inspected | Sparse | Tridiagonal): Operator;

  /** Present if matrices lie in the memory of the process and its numbers are read where they lie. */
  readonly host?: Host;
  /** Present if matrices lie on a device. */
  readonly device?: OnDevice;
  /** The processes among which rows or data are spread; absent if there is one. */
  readonly ranks?: Ranks;

  /** Ends worker threads and gives memory back. The engine is of no use afterwards. */
  dispose(): void;
}

/**
 * Inner products that travel together: one message over processes, one pass on a device; on a host each is computed when it is requested.
 * Matrices must not be written between a request and its arrival.
 */
export interface Sums {
  /** the values by place, valid after `arrive` */
  readonly at: Float64Array;
  /** Requests ⟨X, Y⟩. */
  dot(place: number, X: Tall, Y: Tall): void;
  /** Requests ⟨X_i, Y⟩ for the first `count` matrices of Xs, for the places from `first` on. */
  dots(first: number, Xs: readonly Tall[], count: number, Y: Tall): void;
  /** Returns when all requested values are there. Requests of other sums of the same engine travel with them. */
  arrive(): void;
}

/** Operations on matrices in the memory of the process */
export interface Host {
  /** A of host memory as a tall matrix, read and written where it lies */
  lend(A: Matrix): Tall;
  /** The columns of A from `at` on ← B */
  put(A: Tall, B: Tall, at: number): void;
}

/** Properties of a device that decide which method is the fastest, and whether a run fits */
export interface OnDevice {
  /** bytes that are free for matrices */
  readonly capacity: number;
  /** absent if the device does not declare them */
  readonly speeds?: Speeds;
}

/** As the hardware says it of itself, not as a clock does: runs stay repeatable to the bit. */
export interface Speeds {
  /** floating-point operations of a large product a second */
  readonly flops: number;
  /** bytes of matrices read or written a second */
  readonly bytes: number;
  /** seconds that every call takes, however small its matrices */
  readonly call: number;
}

/** Small matrices by their factors. Inputs stay as they are; NaN and infinity are an error, where nothing else is said. */
export interface Factorizations {
  /** The library whose machine code does the work, `LAPACK`; left out where plain code does */
  readonly library?: string;
  /**
   * S = RᵀR with R upper triangular and a positive diagonal, from the upper triangle of S. False, with R of no use, where S is not positive
   * definite in floating point or holds NaN. R may be S.
   */
  cholesky(R: Small, S: Small): boolean;
  /** Y ← Y·R⁻¹ for a tall or small Y, row by row; R upper triangular without zeros on its diagonal; NaN passes through */
  divide(Y: Tall | Small, R: Small): void;
  /** X ← R⁻¹·X for the same R, and A ← R⁻ᵀ·A·R⁻¹ for a symmetric A, both triangles: where a library does it in place */
  divideLeft?(X: Small, R: Small): void;
  reduce?(A: Small, R: Small): void;
  /** S = V·Diag(w)·Vᵀ with w ascending and the eigenvectors as the columns of V. S is taken as (S + Sᵀ)/2. */
  eigh(V: Small, w: Float64Array, S: Small): void;
  /** w alone, where a library computes it without V */
  eigenvalues?(w: Float64Array, S: Small): void;
  /**
   * The columns of V, p×k with k < p, are eigenvectors of the k smallest eigenvalues of S, which stand in w: where a library computes
   * them alone. s holds the numbers of S in host memory, of which the upper triangle is read. False, with V of no use, where it fails.
   */
  lowest?(V: Small, w: Float64Array, s: Float64Array): boolean;
  /** A = U·Diag(s)·Vᵀ, thin: with k = min(m, n), U is m×k, V is n×k, both with orthonormal columns, s ≥ 0 descending */
  svd(U: Small, s: Float64Array, V: Small, A: Small): void;
  /** X ← A⁻¹·B; a singular A is an error */
  solve(X: Small, A: Small, B: Small): void;
}

/** A linear map on matrices with any number of columns, tall or small alike: from X to Y of the same kind */
export interface Operator {
  readonly rows: number;
  readonly cols: number;
  /** floating-point operations of a product with one column */
  readonly flops: number;
  /** Y ← a·A·X + b·Y */
  apply<M extends Tall | Small>(Y: M, X: M, a?: number, b?: number): void;
  /** Y ← a·Aᵀ·X + b·Y */
  applyT<M extends Tall | Small>(Y: M, X: M, a?: number, b?: number): void;
  /** Y ← A⁻¹·X, where that costs little more than a product: for tridiagonal matrices */
  solve?<M extends Tall | Small>(Y: M, X: M): void;
  /**
   * Main diagonal of a tridiagonal matrix, n×1. `apply` reads it at each product, so that A + Diag(r) takes one pass over X once r is
   * added to it; `applyT` and `solve` keep the numbers that `operator` was given.
   */
  readonly main?: Tall;
}
