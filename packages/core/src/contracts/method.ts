/** Methods: their states, rays and line searches, and the reasons why they end. */
import type { Tall } from "@expen/linalg";
import type { Evaluations } from "./objective.js";
import type { Point } from "./point.js";

/** The space of a method's points: ℝⁿˣᵖ itself, or a submanifold of it. */
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

/** The state of a method after an accepted step. One object, reused: copy the fields that you keep. */
export interface State {
  /** accepted steps so far */
  k: number;
  X: Tall;
  /** value of the function that the method minimises (h for a penalty) */
  f: number;
  /** Frobenius norm of its gradient */
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
  /** numbers of this method only: β, radius, restarts, … */
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
  | "constraint-tolerance"
  | "spurious"
  | "unbounded"
  | "diverged";

/** Why a run ended: a kind for programs, a sentence for people */
export interface Reason {
  readonly kind: ReasonKind;
  readonly converged: boolean;
  /** one sentence for the user */
  readonly text: string;
}

/** f and ∇f at the start of a method, which may write into G */
export interface Start {
  readonly f: number;
  readonly G: Tall;
}

/** A running method: yields the start (k = 0) and each accepted step; returns only when it cannot go on. */
export type Solver = Generator<State, Reason, void>;
/** A stopping rule: a pure function of the state */
export type Stop = (s: State) => Reason | undefined;
/** The rule of a user */
export type UserStop = (s: State) => Reason | string | boolean | undefined;
/** Observes states; must not change them. */
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
  /** Moves the trial point to t. */
  move(): void;
  /** `refused`: the search rejects the trial point by its value and needs the slope there, not the gradient */
  differentiate(refused?: boolean): void;
  /** a further condition of the method on the last trial point */
  acceptable?(): boolean;
}
/** Moves the ray from the first trial step `ray.t` to an acceptable one; false if it finds none. */
export type Search = (ray: Ray) => boolean;
