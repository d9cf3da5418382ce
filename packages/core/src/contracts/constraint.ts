import type { Engine, Matrix, Operator, Random, Small, Tall } from "@expen/linalg";
import type { MetricFactor } from "../manifolds/metric-factor.js";
import type { Reflection } from "../manifolds/reflections.js";
import type { Dissolver } from "./dissolver.js";
import type { Point } from "./point.js";

/**
 * The manifold of X: K(X) = XᵀBX − I = 0 in the algebra of an engine, no constraint, or several of them side by side. K and the multiplier
 * S are small symmetric matrices; X, G and directions are tall. Stateless in X: a method owns its points { X, BX }.
 */
export interface Constraint {
  readonly name: string;
  /** of X; of a product the nominal one of its engine */
  readonly shape: { readonly n: number; readonly p: number };
  /** of the manifold */
  readonly dimension: number;
  /** ‖X‖ of a feasible X, roughly: the unit of lengths */
  readonly size: number;
  /** upper bound of ‖tD‖; Infinity where feasible points are unbounded */
  readonly longestStep: number;
  readonly traits: Traits;
  /** K, A and their derivatives, tangent vectors */
  readonly dissolver: Dissolver;

  /** A new point, with the given X or with X = 0; `update` writes BX */
  point(X?: Tall): Point;
  /** x.BX ← B·x.X, after x.X was written */
  update(x: Point): void;
  /** y ← A(A(…(Z))), feasible with ‖K(y)‖ ≤ ¾·tolerance² (1e-5 where it is left out), also from far */
  restore(y: Point, Z: Tall, tolerance?: number): void;
  /** y ← the nearest feasible point to Z, to rounding. Returns the rank of Z; below p there are several nearest points. */
  project(y: Point, Z: Tall): number;
  /** y ← a random feasible point */
  random(y: Point, r: Random): void;
}

/** Properties of some constraints */
export interface Traits {
  /** real columns with XᵀX = I, all of them: curves, forms and proofs for these hold */
  readonly orthonormal: boolean;
  /**
   * The parts of a tangent vector D = XΩ + Z with Ω skew and XᵀZ = 0: both (`basis`), Z with a multiplier for each column (`columns`),
   * Z without multipliers (`free`), both block by block (`blocks`). Absent where moving coordinates have no meaning.
   */
  readonly coordinates?: "basis" | "columns" | "free" | "blocks";
  /** of several points of one manifold, which lie in blocks */
  readonly blocks?: Blocks;
  /** B ≠ I */
  readonly metric?: Metric;
  readonly quotient?: Quotient;
  /** XᵀX = I for square real X, and det X = 1 */
  readonly isRotation?: boolean;
  /** of an X with K(X) = 0: is it in the component that is meant, as det X = 1? */
  readonly inComponent?: (X: Tall) => boolean;
  /** Maps to the other components, each to one, together to all; absent if the manifold is connected */
  readonly reflections?: readonly Reflection[];
  readonly parts?: Parts;
  /** c(X) = 0 for equations of a user: S holds one multiplier for each, and X·S has no meaning */
  readonly equations?: EquationTraits;
  /**
   * For equations of the user, also as a part of a product: a sentence if the Jacobian does not have its usual rank at X, where
   * second-order statements mean nothing.
   */
  singularity?(X: Tall): string | undefined;
}

/** Points that stand for one: the class of X */
export interface Quotient {
  /** "under X → XQ" */
  readonly text: string;
  /** Y ← another point of the class of X */
  turn(Y: Tall, X: Tall): void;
  /** Z ← its part among the directions that lead to other classes: second order is looked at along these alone */
  across(Z: Tall, x: Point): void;
  /** the manifold before the quotient */
  readonly without: Constraint;
}

/** k points n×p of one manifold, X_1, …, X_k, of which vectors and small matrices have blocks */
export interface Blocks {
  readonly k: number;
  readonly n: number;
  readonly p: number;
  /** r_i ← ⟨A_i, B_i⟩ */
  dots<M extends Tall | Small>(r: Float64Array, A: M, B: M): void;
  /** C_i ← c_i·A_i + b·C_i, b = 1 if left out; C may be A */
  add<M extends Tall | Small>(C: M, c: Float64Array, A: M, b?: number): void;
}

/** Of c(X) = 0 with the Jacobian J */
export interface EquationTraits {
  /** of J at a usual feasible point */
  readonly rank: number;
  rankAt(X: Tall): number;
  /** Y ← the feasible point Y − Jᵀw, J that of X and w any numbers; false where there is none nearby, and Y is not finite then */
  retract(Y: Tall, X: Tall): boolean;
}

/** The B of XᵀBX = I */
export interface Metric {
  /** about ‖B‖₂ */
  readonly norm: number;
  /** B, where it is a matrix at hand */
  readonly operator?: Operator;
  /** R of B = RᵀR, where B is a matrix whose factor is cheap */
  readonly factor?: MetricFactor;
  /**
   * The same of pairs (X, BX), where R is not known: B⁻¹ by conjugate gradients. Made at the first call; undefined where these take too
   * many products.
   */
  pairs?(): MetricFactor | undefined;
}

/** The constraints of a product, each with its engine, and the parts of a matrix in their order */
export interface Parts {
  readonly list: readonly { readonly E: Engine; readonly on: Constraint }[];
  of<M extends Matrix>(A: M): readonly M[];
}
