import type { Random } from "../random.js";
import type { Engine, Matrix, Operator, Small, Tall } from "../types.js";
import type { Reflection } from "./reflections.js";

/**
 * Where X lives: K(X) = 0, and everything that methods ask of it. Of the constraints of this form
 *
 *     K(X) = XᵀBX − I,   K'(X)[D] = 2·sym(XᵀBD),   A(X) = X(I − ½K),   A'(X)ᵀ[G] = G(I − ½K) − BX·sym(XᵀG),
 *
 * XᵀX = I has B = I. K, the multiplier S and their like are small symmetric matrices; X, G and directions are tall.
 * Results go to the first argument. Nothing is remembered of a point: who needs K or S at X again keeps them.
 */
export interface Constraint {
  readonly name: string;
  readonly n: number;
  readonly p: number;
  /** of the manifold */
  readonly dimension: number;
  /** ‖X‖ of a feasible X, roughly: the unit of steps */
  readonly radius: number;
  /** no step is longer than this; Infinity where feasible points are not bounded, or nobody knows by what */
  readonly reach: number;
  /** real orthonormal columns in the metric of ℝⁿˣᵖ: what is known of these alone (curves, frames, forms, proofs) holds */
  readonly orthonormal: boolean;
  /**
   * What tangent vectors are made of, D = XΩ + Z with Ω skew and XᵀZ = 0: of both (`basis`), of Z alone, with a multiplier for each column
   * (`columns`) or none (`free`). Absent where methods that keep them so have no meaning.
   */
  readonly frame?: "basis" | "columns" | "free" | undefined;
  /** of a product */
  readonly factors?: Factors;
  /** B of XᵀBX = I, where it is a matrix at hand */
  readonly metric?: Operator;
  /** R of B = RᵀR, where B is a dense matrix */
  readonly factor?: Small;

  /** K ← K(X); returns ‖K‖ */
  residual(K: Small, X: Tall): number;
  /** ‖K(X)‖ */
  violation(X: Tall): number;
  /** what rounding may leave of ‖K(X)‖, ε‖B‖‖X‖²; absent where that is always nothing, as with B = I */
  rounding?(X: Tall): number;
  /** whether an X with K(X) = 0 is in the part that is meant, where there are several */
  inside?(X: Tall): boolean;

  /** S ← sym(XᵀG), the multiplier where G = ∇f(X); M ← XᵀG where it is given */
  multiplier(S: Small, X: Tall, G: Tall, M?: Small): void;
  /** Z ← Z + a·BX·C: K'(X)ᵀ[C] is 2·BX·C for C = Cᵀ */
  normal(Z: Tall, X: Tall, C: Small, a?: number): void;
  /** Z ← P_X(Z) = Z − BX·S with S ← sym(XᵀZ), which is A'(X)ᵀ[Z] at a feasible X: of ∇f(X) the Riemannian gradient */
  tangent(Z: Tall, X: Tall, S?: Small): void;
  /** H ← P_X(H − BD·S): of ∇²f(X)[D] the Riemannian Hessian along D, S the multiplier at X */
  hessian(H: Tall, D: Tall, X: Tall, S: Small): void;

  /**
   * J ← A'(X)[D] at a feasible X, the tangent vector that D stands for. Absent where A'(X) is its own adjoint, `tangent`: with B ≠ I
   * gradients A'(X)ᵀ[∇f] are no tangent vectors, and f(A(X + tD)) has the Hessian A'ᵀ∘(∇²f − B·S)∘A'.
   */
  direction?(J: Tall, X: Tall, D: Tall): void;
  /** Z ↦ its orthogonal projection to where the directions lie that count, at a feasible X; absent where that is `tangent`. */
  orthogonal?(X: Tall): (Z: Tall) => void;

  /** Where the manifold has several components: each leads to another one, together they lead to all. Absent where it is connected. */
  readonly reflections?: readonly Reflection[] | undefined;

  /** Points that are one, for a quotient: Y ← another one of the class of X. `without`: where they are not. */
  readonly quotient?: { readonly text: string; turn(Y: Tall, X: Tall): void; readonly without: Constraint };

  /** the eigenvalues of a small symmetric matrix, ascending */
  eigenvalues(S: Small): Float64Array;
  /** λmax(S) − λmin(S) */
  spread(S: Small): number;

  /** Y ← A(X) and K ← K(X); returns ‖K‖. A(X) = X where K = 0, and ‖K(A(X))‖ = O(‖K‖²) */
  dissolve(Y: Tall, X: Tall, K: Small): number;
  /** V ← ½K'(X)[D] and J ← A'(X)[D] */
  push(J: Tall, D: Tall, X: Tall, K: Small, V: Small): void;
  /**
   * H ← G(I − ½K) + BX·C. With S = `multiplier` this is A'(X)ᵀ[G] for C = −S, and for C = 2∇φ(K) − S the gradient of
   * f(A(X)) + φ(K(X)), G = ∇f(A(X)): C is βK − S for the penalty φ = β/4·‖K‖².
   */
  pullback(H: Tall, G: Tall, X: Tall, K: Small, C: Small): void;
  /** H ← the derivative of `pullback` along D, on which G moves by dG, C by dC and K by 2V */
  pullbackAlong(H: Tall, G: Tall, X: Tall, K: Small, C: Small, along: PullbackDirection): void;

  // each makes a function with its scratch
  /**
   * restore(Y, X): Y ← A(A(…(X))), from anywhere, with ‖K(Y)‖ ≤ ¾·tolerance². Left out: 1e-5, feasible to what a step of the default can
   * see; who compares values of f asks for less.
   */
  restorer(tolerance?: number): (Y: Tall, X: Tall) => void;
  /** approach(Y, X, above = 0): Y ← one step from X to K = 0, also from far; X where ‖K(X)‖ ≤ above. Returns ‖K(X)‖. */
  approacher(): (Y: Tall, X: Tall, above?: number) => number;
  /** project(Y, X): Y ← the nearest feasible point, to rounding. Returns the rank of X; below p there are several. */
  projector(): (Y: Tall, X: Tall) => number;

  /** X ← a random feasible point */
  random(X: Tall, r: Random): void;
}

/** The constraints of a product, each with its engine, and the parts of a matrix in their order */
export interface Factors {
  readonly list: readonly { readonly E: Engine; readonly on: Constraint }[];
  of<M extends Matrix>(A: M): readonly M[];
}

export interface PullbackDirection {
  readonly D: Tall;
  readonly V: Small;
  readonly dG: Tall;
  readonly dC: Small;
}
