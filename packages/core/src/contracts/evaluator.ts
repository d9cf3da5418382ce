/** f with its calls counted, for a run */
import type { Tall } from "@expen/linalg";
import type { Start } from "./method.js";
import type { Evaluations, Objective } from "./objective.js";

/** f and ∇f at X, and the cost of the first evaluation of the run */
export interface Evaluated extends Start {
  readonly X: Tall;
  /** in this process: flops of the engine's products in f, and entries of its other operations */
  readonly flops: number;
  readonly entries: number;
}

export interface Evaluator extends Objective {
  /** the exact number of calls of the user's functions */
  readonly calls: Evaluations;
  /** ‖∇f‖ at the first evaluation; NaN before */
  readonly firstNorm: number;
  /**
   * f and ∇f at X: evaluated once, and known until `forget`, which must be called before X or the gradient is written. Until then `fg` at
   * a point with the same numbers calls no function of the user. `evaluate` may check more than fg.
   */
  start(X: Tall, evaluate?: (G: Tall) => number): Evaluated;
  /** The known f and ∇f at X, which the evaluator forgets: the gradient may be written. */
  take(X: Tall): Evaluated | undefined;
  forget(): void;
  /** Calls `see` after every evaluation of f with ∇f, until the returned function is called. */
  watch(see: See): () => void;
}

/** Sees f and ∇f at X. */
export type See = (G: Tall, X: Tall, value: number) => void;
