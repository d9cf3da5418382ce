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
  private readonly coefficients = new Float64Array(3);
  private readonly terms: Matrix[] = [];

  constructor(private readonly E: Engine) {}

  /** Chooses c, given K₂ of the line. */
  begin(K2: Matrix): void {
    const c = Math.sqrt(K2.rows / trace(K2));
    this.c.value = c > 0 && c < 1e150 ? c : 1;
  }

  /** K1 ← (K1 − K − c²·K2)/c, K1 having been K(c) */
  linear(K1: Matrix, K: Matrix, K2: Matrix): void {
    const { E, c, coefficients, terms } = this;
    coefficients[0] = -1 / c.value;
    coefficients[1] = -c.value;
    terms[0] = K;
    terms[1] = K2;
    E.combination(K1, coefficients, terms, 2, 1 / c.value);
  }

  /** Kt ← K + t·K1 + t²·K2 */
  at(Kt: Matrix, { value: t }: Scalar, K: Matrix, K1: Matrix, K2: Matrix): void {
    const { E, coefficients, terms } = this;
    coefficients[0] = 1;
    coefficients[1] = t;
    coefficients[2] = t * t;
    terms[0] = K;
    terms[1] = K1;
    terms[2] = K2;
    E.combination(Kt, coefficients, terms, 3);
  }
}
