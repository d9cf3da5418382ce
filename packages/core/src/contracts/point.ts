import type { Tall } from "@expen/linalg";

/**
 * X with B·X, for the B of XᵀBX = I. Where B = I the two are one matrix. Whoever writes X calls `update` of the constraint, or writes BX.
 * Directions D with B·D are kept likewise.
 */
export interface Point {
  readonly X: Tall;
  readonly BX: Tall;
}
