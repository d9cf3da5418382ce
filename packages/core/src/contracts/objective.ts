/** Every contract of the project: matrices and engines, objectives, solvers. Letters as in docs/notation.md. */
import type { Engine, Matrix, Small, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import type { Point } from "./point.js";

export type * from "./point.js";

/** A smooth function on ℝⁿˣᵖ. Results go to the first argument; inputs stay as they are; no method allocates a matrix. */
export interface Objective {
  readonly n: number;
  readonly p: number;
  f(X: Tall): number;
  /** G ← ∇f(X), returns f(X) */
  fg(G: Tall, X: Tall): number;
  /** H ← ∇²f(X)[D] */
  hvp?(H: Tall, X: Tall, D: Tall): void;
  /** The same at one fixed X for many D: what depends on X alone is computed once. Valid until X changes or the next call. */
  linearize?(X: Tall): (H: Tall, D: Tall) => void;
  /** Declared when f is of this form: subspace acceleration, a metric and global certificates follow from it. */
  readonly quadratic?: QuadraticForm | undefined;
  /** Declared when f is convex on all of ℝⁿˣᵖ. */
  readonly convex?: boolean;
  /** f is made of fg: who asks for a value asks for a gradient too. */
  readonly valueByGradient?: boolean;
  /** Compiled from a formula: no code of the user's runs in f. */
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
  /** the matrix is known to equal its transpose up to rounding: nobody looks */
  readonly symmetric?: boolean;
  readonly C?: Small;
  readonly L?: Tall;
  readonly constant?: number;
  /** flops of a product of B with one column; left out: B is taken for a dense one, 2n² */
  readonly flops?: number;
}

export interface LowRank {
  readonly weight: number;
  /** columns of T */
  readonly cols: number;
  /** T, made when it is asked for */
  factor(): Tall;
}

/** A term r(X) beside f: weight·Σ|X_ij| ('l1') or weight·Σ_i‖row i of X‖₂ ('l21') */
export interface Nonsmooth {
  readonly kind: "l1" | "l21";
  readonly weight: number;
}

/** A term r(X) beside f, as an object: what a run has to know of it */
export interface Term {
  readonly text: string;
  bind(E: Engine, n: number, p: number): BoundTerm;
  /** where a plain X is zero */
  sparsity(X: Matrix): Sparsity;
}

/** The term on the matrices of an engine */
export interface BoundTerm {
  value(X: Tall): number;
  /** how far X is from the first-order condition 0 ∈ P_X(∇f + ∂r) */
  stationarity(f: Objective, X: Tall): number;
}

export interface Sparsity {
  zeros: number;
  zeroRows: number;
  /** 1 for an entry that is not zero */
  pattern: Uint8Array;
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
  /** A new point, and x.BX ← B·x.X; absent where X and BX are one matrix. */
  readonly points?: { point(): Point; update(x: Point): void } | undefined;
  /** y ← R_x(t·D) */
  retract(y: Point, x: Point, t: number, D: Tall): void;
  /** Z ← P_x(Z): the tangent part at x */
  project(Z: Tall, x: Point): void;
  /** Moves a vector Z of another tangent space to that at x; absent where vectors of all points are compared as they are. */
  transport?(Z: Tall, x: Point): void;
  /** J ← the tangent vector that D stands for; absent where D is one. `hessian` wants these. */
  direct?: ((J: Tall, x: Point, D: Tall) => void) | undefined;
  /** H ← the Riemannian Hessian along D, given H = ∇²f(x)[D] and the Euclidean gradient G = ∇f(x) */
  hessian(H: Tall, D: Tall, x: Point, G: Tall): void;
}

/**
 * Z ← P(X)·G for a symmetric positive definite P ≈ (∇²f(X))⁻¹, right up to a factor: the better, the fewer iterations. It is applied to
 * gradients in ℝⁿˣᵖ at points near the manifold; Z need not be tangent.
 */
export type Precondition = (Z: Tall, X: Tall, G: Tall) => void;

/** What every solver shows after each iteration. One object, reused: copy what you keep. */
export interface State {
  /** accepted steps so far */
  k: number;
  X: Tall;
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
  | "evaluations"
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
  /** `refused`: the value alone has refused the trial point, so that nothing but the slope will be asked for there */
  differentiate(refused?: boolean): void;
  /** a further condition of the solver on the last trial point, if it has one */
  acceptable?(): boolean;
}
/** From the first trial `ray.t` to an acceptable step, which is then `ray.t` and where the ray stands; false if there is none. */
export type Search = (ray: Ray) => boolean;
