/** Every contract of the project on one page. Letters as in docs/notation.md. */
import type { ElementwiseName } from "./engines/elementwise/operations.js";

/** A dense matrix, row-major and contiguous: entry (i, j) is `data[i * cols + j]`. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  /** Do not keep this array across a call that may create a matrix: a WebAssembly memory that grows detaches it. */
  readonly data: Float64Array;
}

/**
 * n×p: its rows are in host memory, on a device, or spread over processes. On a host engine `data` is the matrix itself, without a copy;
 * on others reading `data` is an error that says what to do: `E.read`, or engine operations.
 */
export interface Tall extends Matrix {
  readonly kind: "tall";
}

/** p×q: the same numbers in every process; on a device it stays there. */
export interface Small extends Matrix {
  readonly kind: "small";
}

/** A sparse matrix in compressed rows: row i has the entries pointers[i] … pointers[i+1] − 1 of `indices` (columns) and `values`. */
export interface Sparse {
  readonly rows: number;
  readonly cols: number;
  /** rows + 1 numbers, ascending from 0 */
  readonly pointers: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** A tridiagonal matrix T by its three diagonals, n×1 each: T[i, i−1] = lower[i], T[i, i] = main[i], T[i, i+1] = upper[i]. */
export interface Tridiagonal {
  readonly lower: Matrix;
  readonly main: Matrix;
  readonly upper: Matrix;
}

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
 * Only `tall`, `small`, `operator`, `read` without a destination, `matrix` and `from` allocate. Every call checks owner, shapes and
 * aliasing, and throws an `EngineError` in one sentence.
 *
 * Products that contract over the n rows (`gram`, `tmul`, `dot`, `apply`) stand apart from those that treat rows independently
 * (`mul`, …): an engine that spreads rows over processes communicates in the first kind only.
 */
export interface Engine {
  readonly name: string;
  /** What runs underneath, for people: library, SIMD level, threads. */
  readonly description: string;
  /** Work done so far: matrices made, flops of the products, how often a memory that grew emptied the `data` read before. */
  readonly counters: { matrices: number; flops: number; readonly emptied?: number };

  /** A new tall matrix: zeros, or a copy of the numbers, row after row. */
  tall(rows: number, cols: number, numbers?: ArrayLike<number>): Tall;
  /** A new small matrix, likewise. */
  small(rows: number, cols: number, numbers?: ArrayLike<number>): Small;
  /** The numbers of A, row after row, in host memory: in `into` if given, else in a new array. */
  read(A: Matrix, into?: Float64Array): Float64Array;
  /** A ← the numbers, row after row; a function is called for each in turn, in every process alike. */
  write(A: Matrix, numbers: ArrayLike<number> | (() => number)): void;

  /** A new rows×cols matrix of zeros, tall or small: on host engines only. */
  matrix(rows: number, cols: number): Matrix;
  /** A new matrix of this engine with a copy of the numbers. */
  from(source: Matrix): Matrix;

  /** S ← AᵀA + b·S, S symmetric */
  gram(S: Matrix, A: Matrix, b?: number): void;
  /** S ← a·AᵀB + b·S */
  tmul(S: Matrix, A: Matrix, B: Matrix, a?: number, b?: number): void;
  /** Y ← a·A·S + b·Y */
  mul(Y: Matrix, A: Matrix, S: Matrix, a?: number, b?: number): void;
  /** Y ← a·A·Bᵀ + b·Y */
  mulT(Y: Matrix, A: Matrix, B: Matrix, a?: number, b?: number): void;
  /** Y ← a·B·X + b·Y for an operator B whose columns stand for the rows of X */
  apply(Y: Matrix, B: Matrix, X: Matrix, a?: number, b?: number): void;
  /** ⟨X, Y⟩ = tr XᵀY */
  dot(X: Matrix, Y: Matrix): number;
  /** r_i ← ⟨X_i, Y⟩ for the first `count` matrices of Xs, reading Y once */
  dots(r: Float64Array, Xs: readonly Matrix[], count: number, Y: Matrix): void;

  /** Y ← X */
  copy(Y: Matrix, X: Matrix): void;
  /** Y ← a in every entry */
  fill(Y: Matrix, a: number): void;
  /** Y ← a·X + b·Y */
  axpby(Y: Matrix, a: number, X: Matrix, b: number): void;
  /** Z ← a·X + b·Y; Z may be X or Y */
  combine(Z: Matrix, a: number, X: Matrix, b: number, Y: Matrix): void;
  /** Z ← Σ c_i·X_i over the first `count` matrices of Xs + b·Z, writing Z once */
  combination(Z: Matrix, c: Float64Array, Xs: readonly Matrix[], count: number, b?: number): void;
  /** Z ← a·X∘Y + b·Z, entry by entry */
  hadamard(Z: Matrix, X: Matrix, Y: Matrix, a?: number, b?: number): void;
  /** outputs ← chain(inputs), entry by entry, all of one shape; returns the sum over the chain's `sum` register, 0 if it has none */
  map(outputs: readonly Matrix[], chain: Chain, inputs: readonly Matrix[]): number;

  /** S ← (S + Sᵀ)/2 */
  symmetrize(S: Matrix): void;
  /** S ← S + a·I */
  addDiagonal(S: Matrix, a: number): void;

  /** r_i ← Σ_j X_ij·Y_ij, r of size n×1 */
  rowDots(r: Matrix, X: Matrix, Y: Matrix): void;
  /** Y ← a·Diag(r)·X + b·Y */
  scaleRows(Y: Matrix, r: Matrix, X: Matrix, a?: number, b?: number): void;
  /** Y ← a·T·X + b·Y */
  tridiagonal(Y: Matrix, T: Tridiagonal, X: Matrix, a?: number, b?: number): void;
  /** Y ← T⁻¹·X, T given by `tridiagonalFactor` (linalg/tridiagonal.ts) */
  tridiagonalSolve(Y: Matrix, F: Tridiagonal, X: Matrix): void;

  /** Factorizations of small matrices. */
  readonly factor: Factorizations;
  /** A as a linear map on tall matrices. The numbers of A are copied. */
  operator(A: Matrix | Sparse | Tridiagonal): Operator;

  /** LAPACK, where the engine has it; `factor` is made of it. */
  readonly lapack?: Lapack;
  /** Ends worker threads and gives memory back. The engine is of no use afterwards. */
  dispose(): void;
}

/** Small matrices by their factors. Inputs stay as they are; NaN and infinity are an error, where nothing else is said. */
export interface Factorizations {
  /**
   * S = RᵀR with R upper triangular and a positive diagonal, from the upper triangle of S. False, with R of no use, where S is not positive
   * definite in floating point or holds NaN.
   */
  cholesky(R: Matrix, S: Matrix): boolean;
  /** Y ← Y·R⁻¹ for a tall or small Y, row by row; R upper triangular without zeros on its diagonal; NaN passes through */
  divide(Y: Matrix, R: Matrix): void;
  /** S = V·Diag(w)·Vᵀ with w ascending and the eigenvectors as the columns of V. S is taken as (S + Sᵀ)/2. */
  eigh(V: Matrix, w: Float64Array, S: Matrix): void;
  /** A = U·Diag(s)·Vᵀ, thin: with k = min(m, n), U is m×k, V is n×k, both with orthonormal columns, s ≥ 0 descending */
  svd(U: Matrix, s: Float64Array, V: Matrix, A: Matrix): void;
  /** X ← A⁻¹·B; a singular A is an error */
  solve(X: Matrix, A: Matrix, B: Matrix): void;
}

/** A linear map on tall matrices with any number of columns */
export interface Operator {
  readonly rows: number;
  readonly cols: number;
  /** floating-point operations of a product with one column */
  readonly flops: number;
  /** Y ← a·A·X + b·Y */
  apply(Y: Matrix, X: Matrix, a?: number, b?: number): void;
  /** Y ← a·Aᵀ·X + b·Y */
  applyT(Y: Matrix, X: Matrix, a?: number, b?: number): void;
  /** Y ← A⁻¹·X, where that costs little more than a product: for tridiagonal matrices */
  solve?(Y: Matrix, X: Matrix): void;
  /** Y ← (A + Diag(r))·X for r of size n×1, in one pass over X: for tridiagonal matrices */
  applyWithDiagonal?(Y: Matrix, r: Matrix, X: Matrix): void;
}

/** The LAPACK routines behind `factor`, on row-major matrices. Each returns LAPACK's `info` (0: success). */
export interface Lapack {
  /** A symmetric → eigenvectors as the ROWS of A, eigenvalues ascending in w (p×1) */
  syevd(A: Matrix, w: Matrix): number;
  /** A = U·diag(s)·V thin, m ≥ n: U m×n, s n×1, V n×n (rows are right singular vectors); A is destroyed */
  gesdd(A: Matrix, U: Matrix, s: Matrix, V: Matrix): number;
  /** S = RᵀR, R upper triangular written over S (below the diagonal: 0) */
  potrf(S: Matrix): number;
  /** A·X = B solved for X in place of B; A is destroyed */
  gesv(A: Matrix, B: Matrix): number;
  /** Y ← Y·R⁻¹, R upper triangular */
  trsm(Y: Matrix, R: Matrix): void;
}

/** A smooth function on ℝⁿˣᵖ. Results go to the first argument; inputs stay as they are; no method allocates a matrix. */
export interface Objective {
  readonly n: number;
  readonly p: number;
  f(X: Matrix): number;
  /** G ← ∇f(X), returns f(X) */
  fg(G: Matrix, X: Matrix): number;
  /** H ← ∇²f(X)[D] */
  hvp?(H: Matrix, X: Matrix, D: Matrix): void;
  /** The same at one fixed X for many D: what depends on X alone is computed once. Valid until X changes or the next call. */
  linearize?(X: Matrix): (H: Matrix, D: Matrix) => void;
  /** Declared when f is of this form: subspace acceleration, a metric and global certificates follow from it. */
  readonly quadratic?: QuadraticForm | undefined;
  /** Declared when f is convex on all of ℝⁿˣᵖ. */
  readonly convex?: boolean;
}

/** f(X) = ½⟨X, B·X·C⟩ + ⟨L, X⟩ + constant, with B = Bᵀ given by its action, C = Cᵀ (I if absent), L (0 if absent). */
export interface QuadraticForm {
  /** Y ← B·X, for an X with any number of columns */
  apply(Y: Matrix, X: Matrix): void;
  /** B itself, where it is at hand: proofs of a global minimum need it, and form it with `apply` where that is cheap */
  readonly matrix?: Matrix | Tridiagonal;
  readonly C?: Matrix;
  readonly L?: Matrix;
  readonly constant?: number;
  /** flops of a product of B with one column; left out: B is taken to be dear, 2n² */
  readonly flops?: number;
}

/** A term r(X) beside f: weight·Σ|X_ij| ('l1') or weight·Σ_i‖row i of X‖₂ ('l21') */
export interface Nonsmooth {
  readonly kind: "l1" | "l21";
  readonly weight: number;
}

/**
 * How often a user's function was called. A combined `fg` and a call of `quadratic.apply`, whatever its columns, count once in each of f
 * and grad; so does a value that is made of a combined `fg` because there is no `f`.
 */
export interface Evaluations {
  f: number;
  grad: number;
  hvp: number;
}

/** Where a solver moves: ℝⁿˣᵖ itself, or a submanifold of it. */
export interface Geometry {
  readonly name: string;
  /** Y ← R_X(t·D) */
  retract(Y: Matrix, X: Matrix, t: number, D: Matrix): void;
  /** Z ← P_X(Z): the tangent part at X */
  project(Z: Matrix, X: Matrix): void;
  /** Moves a vector Z of another tangent space to that at X; absent where vectors of all points are compared as they are. */
  transport?(Z: Matrix, X: Matrix): void;
  /** H ← the Riemannian Hessian along D, given H = ∇²f(X)[D] and the Euclidean gradient G = ∇f(X) */
  hessian(H: Matrix, D: Matrix, X: Matrix, G: Matrix): void;
}

/**
 * Z ← P(X)·G for a symmetric positive definite P ≈ (∇²f(X))⁻¹, right up to a factor: the better, the fewer iterations. It is applied to
 * gradients in ℝⁿˣᵖ at points near the manifold; Z need not be tangent.
 */
export type Precondition = (Z: Matrix, X: Matrix, G: Matrix) => void;

/** What every solver shows after each iteration. One object, reused: copy what you keep. */
export interface State {
  /** accepted steps so far */
  k: number;
  X: Matrix;
  /** value of the function the solver minimises (h for a penalty) */
  f: number;
  /** Frobenius norm of the gradient the solver drives to 0 */
  gnorm: number;
  /** the largest gnorm so far: a scale for relative tests */
  gnormMax: number;
  /** ‖X_k − X_{k−1}‖_F */
  step: number;
  /** f_{k−1} − f_k */
  decrease: number;
  /** since the run began */
  seconds: number;
  evaluations: Evaluations;
  /** numbers of this solver only: β, radius, restarts, … */
  notes?: Record<string, number>;
}

/** Why a run ended. */
export type ReasonKind =
  | "gradient"
  | "step"
  | "value"
  | "rounding"
  | "iterations"
  | "time"
  | "aborted"
  | "search-failed"
  | "not-finite"
  | "infeasible"
  | "spurious"
  | "unbounded"
  | "diverged";

export interface Reason {
  readonly kind: ReasonKind;
  readonly converged: boolean;
  /** one sentence for people */
  readonly text: string;
}

/** Yields after each accepted step (first: the start, k = 0); returns only when it cannot go on. */
export type Solver = Generator<State, Reason, void>;
/** A pure function of the state. */
export type Stop = (s: State) => Reason | undefined;
/** Sees, cannot steer. */
export type Observer = (s: State) => void;

/** φ(t) = f(R_X(t·D)), or φ(t) − f(X) with f0 = 0 where a ray can compute differences more exactly than values. */
export interface Ray {
  readonly f0: number;
  /** φ'(0) */
  readonly slope0: number;
  /** no step beyond this */
  readonly max: number;
  /** the step of the trial point; when a search begins, the first one to try */
  t: number;
  /** φ(t), written by `move` */
  readonly ft: number;
  /** φ'(t), written by `differentiate` */
  readonly slopeT: number;
  /** moves the trial point to t */
  move(): void;
  differentiate(): void;
  /** a further condition of the solver on the last trial point, if it has one */
  acceptable?(): boolean;
}
/** From the first trial `ray.t` to an acceptable step, which is then `ray.t` and where the ray stands; false if there is none. */
export type Search = (ray: Ray) => boolean;
