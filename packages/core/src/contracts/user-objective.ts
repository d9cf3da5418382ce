/** f as a user gives it: functions, or a formula */

import type { Tall } from "@expen/linalg";
import type { Domain, View } from "./manifold.js";
import type { Objective } from "./objective.js";

/** Properties of f that its author may declare */
export type Declared = Pick<Objective, "quadratic" | "convex">;

/**
 * f without a domain; `formula` of the tape returns it. `bind` makes the objective and all its derivatives on a domain. The gradient is
 * derived from f by a program, so no run compares the two; no code of the user reads entries of X, so X may lie on a device.
 */
export interface Formula {
  /** properties that the author declares */
  readonly declared: Declared;
  /** f has a second argument, one of many items */
  readonly hasItem: boolean;
  /** `item`: the value of the formula's second argument, one of many that `minimizeMany` takes in turn */
  bind(domain: Domain<View>, item?: unknown): BoundFormula;
  /** The formula as constraints (g − bound)/size ≤ 0, or = 0, in each entry of its value, which may be a matrix; sizes left out: 1 */
  penalty?(domain: Domain<View>, kind: "atMost" | "equal", bound: number, sizes?: Float64Array): FormulaPenalty;
}

export interface BoundFormula extends Objective {
  /** f of every item is linear where XᵀX = I */
  readonly isLinear?: boolean;
  /** gives f its next item; false where the item has other shapes than the one that f was bound with, so that f must be bound again */
  setItem?(item: unknown): boolean;
}

/** φ(X, Θ) of `sets/block.ts` for g of rows×cols values: H ← ∂φ/∂X, V ← ∂φ/∂Θ, returns φ */
export interface FormulaPenalty {
  readonly rows: number;
  readonly cols: number;
  fg(H: Tall, V: Tall, X: Tall, theta: Tall): number;
}

/** A value and a gradient, or both at once. `P`: the view of a point that f takes. */
export type UserObjective<P extends View = Tall> = Declared & {
  f?(X: P): number;
  grad?(G: P, X: P): void;
  fg?(G: P, X: P): number;
  /** H ← ∇²f(X)[D] */
  hvp?(H: P, X: P, D: P): void;
  /** the same at one fixed X for many D: the parts that depend on X alone are computed once */
  linearize?(X: P): (H: P, D: P) => void;
};
