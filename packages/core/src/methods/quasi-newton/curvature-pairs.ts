/** The memory of a quasi-Newton method: its pairs, and the directions that they make */

import type { RayIn } from "../../contracts/ray.js";
import type { CurvaturePair, FirstMatrix, NewestPairs } from "./first/first-matrix.js";

/** A memory that grows with the run: room for `first` pairs, and for one more after every `period` pairs */
export interface MemoryGrowth {
  readonly first: number;
  readonly period: number;
}

export interface PairOptions {
  /** pairs of a block update at most; 1: the two-loop recursion takes all of them */
  block?: number;
  /** left out: all pairs of the memory are stored from the start */
  growth?: MemoryGrowth | undefined;
  /** Pairs are dropped when the steps after them are longer than this together; left out: they are kept. */
  radius?: number;
}

/** With ⟨g, g⟩ of the new gradient */
export interface UpdatedPair<V> extends CurvaturePair<V> {
  readonly gg: number;
  readonly stored: boolean;
}

export interface CurvaturePairs<V> {
  /** pairs in use */
  readonly size: number;
  /** upper bound of ‖D‖ of the last direction; infinite unless sums travel */
  readonly bound: number;
  /** The ray's D ← −H·G, returns ⟨G, D⟩; its Gt, which is free until the next trial point, is overwritten. */
  direction(ray: RayIn<V>, first: FirstMatrix<V>): number;
  /** y of the trial point, ahead of `update`. Takes a vector more. */
  change(ray: RayIn<V>): V;
  /** ⟨Gt, D⟩ at the trial point, and in the same pass the inner products that `update` needs of it */
  trialProducts(ray: RayIn<V>): number;
  /**
   * The pair (s, y), s = t·D, of the step that the ray has just accepted, stored if ⟨s, y⟩ > threshold; dd = ⟨D, D⟩. The ray's D and
   * Gt, where y is formed, become the memory's, and the ray gets others.
   */
  update(ray: RayIn<V>, t: number, dd: number, threshold: number): UpdatedPair<V>;
  /** absent where they are not taken together */
  newest?(): NewestPairs<V>;
  clear(): void;
  /** To be called where gradients may change without `update`. */
  restart(): void;
  /** Moves the stored pairs to another tangent space. */
  transport(move: (A: V) => void): void;
}
