import { trace } from "../linalg/trace.js";
import { Cell } from "../scalar.js";
import type { Engine, Matrix, Scalar } from "../types.js";

/**
 * Symmetric p×p matrices that are quadratic in t along X(t) = X + tD, from products that are symmetric and so cost half (`tmulSymmetric`):
 *
 *     K(t) = X(t)ᵀX(t) − I = K + t·K₁ + t²·K₂,     K₂ = DᵀD,     K₁ = 2·sym(XᵀD) = (K(c) − K − c²·K₂)/c for any c ≠ 0,
 *
 * and likewise X(t)ᵀBX(t). With c = ‖X‖/‖D‖ the two parts of X + cD are of one size, and the rounding of K₁ is that of the product XᵀD itself,
 * ε·‖X‖·‖D‖. Where K is carried from step to step, an error e of it makes −e/c in K₁, so that a step t shrinks it to (1 − t/c)·e.
 */
export class LineQuadratics {
  readonly c = new Cell();
  // 1/c, −1/c and −c as Scalars
  private readonly over = new Cell();
  private readonly minusOver = new Cell();
  private readonly minus = new Cell();
  /** t² */
  private readonly square = new Cell();

  constructor(private readonly E: Engine) {}

  /** Chooses c, given K₂ of the line. */
  begin(K2: Matrix): void {
    const c = Math.sqrt(K2.rows / trace(K2));
    this.c.value = c > 0 && c < 1e150 ? c : 1;
    this.minus.value = -this.c.value;
    this.over.value = 1 / this.c.value;
    this.minusOver.value = -1 / this.c.value;
  }

  /** K1 ← (K1 − K − c²·K2)/c, K1 having been K(c) */
  linear(K1: Matrix, K: Matrix, K2: Matrix): void {
    this.E.axpby(K1, this.minusOver, K, this.over);
    this.E.axpby(K1, this.minus, K2, 1);
  }

  /** Kt ← K + t·K1 + t²·K2 */
  at(Kt: Matrix, t: Scalar, K: Matrix, K1: Matrix, K2: Matrix): void {
    this.square.value = t.value * t.value;
    this.E.combine(Kt, 1, K, t, K1);
    this.E.axpby(Kt, this.square, K2, 1);
  }
}
