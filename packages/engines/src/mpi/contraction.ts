import type { Spread } from "./spread.js";

/** A sum over rows: what it is made of, and this rank's part of it */
export interface Contraction {
  /** the operation with its numbers; "" if it is not to be predicted */
  readonly op: string;
  readonly inputs: readonly Spread[];
  readonly size: number;
  /** into[at …] ← this rank's part */
  part(inputs: readonly Spread[], into: Float64Array, at: number): void;
}
