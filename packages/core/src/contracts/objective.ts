/** Functions to minimise, and terms beside them. Letters as in docs/notation.md. */
import type { Engine, Matrix, Small, Sparse, Tall, Tridiagonal } from "@expen/linalg";

/** A smooth function on ℝⁿˣᵖ. Results go to the first argument; inputs stay as they are; no function allocates a matrix. */
export interface Objective {
  readonly n: number;
  readonly p: number;
  f(X: Tall): number;
  /** G ← ∇f(X), returns f(X) */
  fg(G: Tall, X: Tall): number;
  /** H ← ∇²f(X)[D] */
  hvp?(H: Tall, X: Tall, D: Tall): void;
  /** The same at one fixed X for many D: the parts that depend on X alone are computed once. Valid until X changes or the next call. */
  linearize?(X: Tall): (H: Tall, D: Tall) => void;
  /** Declared when f is of this form: subspace methods, a metric and global certificates follow from it. */
  readonly quadratic?: QuadraticForm | undefined;
  /** Declared when f is convex on all of ℝⁿˣᵖ. */
  readonly convex?: boolean;
  /** f(X) is computed by fg: each value counts as a gradient as well. */
  readonly valueByGradient?: boolean;
  /** evaluations of value and gradient that `hvp` and `linearize` took of themselves so far; absent where they take none */
  hidden?(): number;
  /** Compiled from a formula: f runs no code of the user. */
  readonly compiled?: boolean;
}

/** f(X) = ½⟨X, B·X·C⟩ + ⟨L, X⟩ + constant, with B = Bᵀ given by its action, C = Cᵀ (I if absent), L (0 if absent). */
export interface QuadraticForm {
  /** Y ← B·X, for an X with any number of columns */
  apply(Y: Tall, X: Tall): void;
  /**
   * B itself, where it is at hand. Proofs of a global minimum need it, and form it with `apply` where that is cheap;
   * a sparse or tridiagonal one may be factorized by a run.
   */
  readonly matrix?: Matrix | Sparse | Tridiagonal;
  /** B = weight·TTᵀ, where T has fewer columns than rows: a proof takes TᵀT, and no matrix B. */
  readonly lowRank?: LowRank;
  /** B = multiple·I, where it is: then f is linear on all X with XᵀX = I */
  readonly multiple?: number;
  /** declared symmetric to roundoff: symmetry is not checked */
  readonly symmetric?: boolean;
  readonly C?: Small;
  readonly L?: Tall;
  readonly constant?: number;
  /** flops of a product of B with one column; left out: 2n², those of a dense B */
  readonly flops?: number;
}

export interface LowRank {
  readonly weight: number;
  /** columns of T */
  readonly cols: number;
  /** makes T */
  factor(): Tall;
}

/** A term r(X) beside f: weight·Σ|X_ij| ('l1') or weight·Σ_i‖row i of X‖₂ ('l21') */
export interface Nonsmooth {
  readonly kind: "l1" | "l21";
  readonly weight: number;
}

/** A term r(X) beside f, as an object */
export interface Term {
  readonly text: string;
  bind(E: Engine, n: number, p: number): BoundTerm;
  /** the zeros of a plain X */
  sparsity(X: Matrix): Sparsity;
}

/** The term on the matrices of an engine */
export interface BoundTerm {
  value(X: Tall): number;
  /** the residual of the first-order condition 0 ∈ P_X(∇f + ∂r) */
  stationarity(f: Objective, X: Tall): number;
}

export interface Sparsity {
  zeros: number;
  zeroRows: number;
  /** 1 for an entry that is not zero */
  pattern: Uint8Array;
}

/**
 * Calls of a user's functions. A combined `fg` and a call of `quadratic.apply`, whatever its columns, count once in each of f and grad; so
 * does a value that is computed by a combined `fg` because there is no `f`.
 */
export interface Evaluations {
  f: number;
  grad: number;
  hvp: number;
}
