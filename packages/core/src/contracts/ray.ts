/** Rays with their trial points, on which methods work */

import type { Tall } from "@expen/linalg";
import type { Coordinates } from "../methods/vectors.js";
import type { Geometry, Ray, Solver, Start } from "./method.js";
import type { Evaluations, Objective } from "./objective.js";
import type { Point } from "./point.js";

/**
 * A ray X(t), t ≥ 0, that leaves X along D, with its trial point Xt = X(t) and all that is known there; vectors are kept in coordinates V.
 * `accept` makes the trial point the current one by swapping matrices.
 */
export interface RayIn<V> extends Ray {
  readonly objective: Objective;
  readonly coordinates: Coordinates<V>;
  /** the counters that states show */
  readonly evaluations: Evaluations;
  f0: number;
  slope0: number;
  max: number;
  /** current point and its matrix, gradient and value */
  x: Point;
  X: Tall;
  G: V;
  f: number;
  /** trial point and its matrix, gradient and value */
  xt: Point;
  Xt: Tall;
  Gt: V;
  ft: number;
  /** Euclidean gradients at X and at the trial point, where the ray was asked to keep them */
  euclideanG: Tall | undefined;
  euclideanGt: Tall | undefined;
  /** search direction */
  D: V;
  slopeT: number;
  /** a trial value was NaN or infinite in the last search */
  sawNonFinite: boolean;
  /** φ'(t) at the trial point; a method may put another function here, which makes further inner products in the same pass. */
  slope: (refused: boolean) => number;
  /** Called when a trial gradient leaves the space of all vectors before it, which then have no meaning. */
  onLargerSpace?: (() => void) | undefined;
  /** begins a search along D, whose slope ⟨G, D⟩ is in slope0 */
  begin(): void;
  /** ft, Gt ← value and gradient at Xt, where they are not known */
  evaluate(known?: Start): void;
  /** X, G, f ← Xt, Gt, ft; the old ones stay behind in Xt and Gt */
  accept(): void;
  /** X ← X0, with f and G there; X0 may be the ray's X. */
  restartAt(X0: Tall, known?: Start): void;
}

/** A ray in ℝⁿˣᵖ or on a submanifold of it */
export interface TrialRay extends RayIn<Tall> {
  readonly geometry: Geometry;
}

/**
 * An algorithm that works on a ray: started anew at the ray's current point as often as one likes, one run at a time, with the scratch of
 * its factory.
 */
export type Method = (ray: TrialRay) => Solver;

export interface RayOptions {
  evaluations?: Evaluations | undefined;
  keepEuclidean?: boolean | undefined;
  /** f and ∇f at the first point; the ray takes the matrix of the gradient */
  start?: Start | undefined;
}
