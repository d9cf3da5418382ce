import type { Tall } from "@expen/linalg";

/**
 * X with B·X, for the B of XᵀBX = I; one matrix if B = I. After X was written, call `update` of the constraint or write BX. A direction D
 * with B·D is such a pair too.
 */
export interface Point {
  readonly X: Tall;
  readonly BX: Tall;
}
