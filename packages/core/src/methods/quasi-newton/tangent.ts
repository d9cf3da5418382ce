import type { Small, Tall } from "@expen/linalg";
import type { Coordinates } from "../vectors.js";

/**
 * A tangent vector at X in the frame of X: D = X·Ω + Z with Ω skew and XᵀZ = 0, kept as the pair (Z, Ω). The pair is what moves from
 * point to point: vectors of different points are added as they are, and nothing is transported. Z = 0 is left out where n = p; Ω is left
 * out for columns of length 1, without a constraint, and while all gradients so far are those of an f with f(X) = f(XQ) for rotations Q.
 */
export interface Tangent {
  /** n×p; of a product the Z of all parts as one matrix */
  readonly Z: Tall | undefined;
  /** p×p, skew */
  O: Small | undefined;
  /** of a product */
  readonly parts?: readonly Tangent[];
}

/** Tangent vectors in the frame of X as coordinates of methods */
export interface Frame extends Coordinates<Tangent> {
  /** S = sym XᵀG, the multiplier of the last gradient; of a product each part has its own */
  readonly S: Small | undefined;
  /** bound of ‖tD‖ */
  readonly longestStep: number;
}
