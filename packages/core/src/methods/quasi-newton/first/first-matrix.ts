import type { Tall } from "@expen/linalg";
import type { LazyNumber } from "./lazy-number.js";

/** A curvature pair: a step s = t·D and the change y of the gradient along it, with ⟨D, D⟩ and ⟨D, y⟩ */
export interface CurvaturePair<V> {
  readonly t: number;
  readonly D: V;
  readonly y: V;
  readonly dd: number;
  readonly dy: number;
}

/** A curvature pair in ℝⁿˣᵖ */
export type Pair = CurvaturePair<Tall>;

/** A trial step along D; `change` makes y, the change of the gradient along it. */
export interface Trial<V> extends Pick<CurvaturePair<V>, "t" | "D"> {
  change(): V;
}

/** The pairs i ≥ start of the block update, with M = SᵀY of them; until the memory changes */
export interface NewestPairs<V> {
  readonly start: number;
  /** y_start, … */
  readonly ys: readonly V[];
  /** r_i ← (M⁻¹q)_i for i ≥ start; r may be q */
  solve(r: Float64Array, q: Float64Array): void;
}

/** The first matrix H₀ of a quasi-Newton method: the inverse Hessian as far as it is known without the stored pairs */
export interface FirstMatrix<V = Tall> {
  /** its size is known too: 1 is a good first step, also without pairs */
  readonly scaled: boolean;
  /** γ if H₀ = γ·I; `apply` is not called then */
  readonly multiple?: LazyNumber | undefined;
  /** R ← H₀·Q at the point X */
  apply(R: V, X: Tall, Q: V): void;
  /** To be called at X when a run starts there, without a pair, and when a step has led there. */
  learn(X: Tall, pair?: CurvaturePair<V>): void;
  /** Requests the inner products of `learn` at a trial point, so that they travel with its slope. */
  prepare?(trial: Trial<V>): void;
  /** Compares candidates for H₀ on the newest pairs, after `learn` of a pair that was stored; `scratch` is written. */
  compare?(X: Tall, newest: () => NewestPairs<V>, scratch: V): void;
  /** Back to the identity, until it learns again; false where it was that already. */
  forget(): boolean;
}
