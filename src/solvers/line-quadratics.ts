import { trace } from "../linalg/trace.js";
import { Cell } from "../scalar.js";
import { CURVATURE } from "../search/scipy.js";
import type { Engine, Matrix, Ray, Scalar } from "../types.js";

/** Up to this part of the terms of h a difference of two values of h has lost too many digits; a larger one keeps six or more. */
export const CANCELLATION = 1e-9;

/** How wrong K(t) may be, in units of the rounding of a product. */
const WORN = 100;

/**
 * Symmetric p×p matrices that are quadratic in t along X(t) = X + tD, from products that are symmetric and so cost half (`tmulSymmetric`):
 *
 *     K(t) = X(t)ᵀX(t) − I = K + t·K₁ + t²·K₂,     K₂ = DᵀD,     K₁ = 2·sym(XᵀD) = (K(c) − K − c²·K₂)/c for any c ≠ 0,
 *
 * and likewise X(t)ᵀBX(t). With c = ‖X‖/‖D‖ the two parts of X + cD are of one size, and the rounding of K₁ is that of the product XᵀD itself,
 * ε·‖X‖·‖D‖. A smaller c makes it ε·‖X‖²/c. That does no harm as long as values of h at 0 and c differ by more than their rounding, and then c is the
 * first trial step of the search: K(c) is needed there anyway, and K₁ and K₂ only if the search goes on.
 *
 * K is carried from step to step: an error e of it makes −e/c in K₁, so that a step t leaves (1 − t/c)·e, nothing at t = c.
 */
export class LineQuadratics {
  readonly c = new Cell();
  // 1/c, −1/c and −c as Scalars
  private readonly over = new Cell();
  private readonly minusOver = new Cell();
  private readonly minus = new Cell();
  /** t² */
  private readonly square = new Cell();
  // bounds of the errors of K and of K(t), in units of the rounding of a product
  private readonly error = new Cell();
  private readonly trial = new Cell();

  constructor(private readonly E: Engine) {
    this.trial.value = 1;
  }

  /** Chooses c for the search along D that begins, `terms` being the size of the terms of h. K(c) is then to be computed as a product. */
  begin({ t, max, slope0 }: Ray, D: Matrix, terms: number): void {
    const first = Math.min(t, max);
    const keepsDigits = -first * slope0 > CANCELLATION * terms;
    const c = keepsDigits ? first : Math.sqrt(D.cols / this.E.inner(D, D).value);
    this.c.value = c > 0 && c < 1e150 ? c : 1;
    this.minus.value = -this.c.value;
    this.over.value = 1 / this.c.value;
    this.minusOver.value = -1 / this.c.value;
    this.trial.value = 1;
  }

  /** K1 ← (Kc − K − c²·K2)/c, Kc being K(c) */
  linear(K1: Matrix, Kc: Matrix, K: Matrix, K2: Matrix): void {
    this.secant(K1, Kc, K);
    this.E.axpby(K1, this.minus, K2, 1);
  }

  /** S ← (Ac − A)/c, Ac being A at the step c */
  secant(S: Matrix, Ac: Matrix, A: Matrix): void {
    this.E.combine(S, this.over, Ac, this.minusOver, A);
  }

  /** Kt ← K + t·K1 + t²·K2 */
  at(Kt: Matrix, t: Scalar, K: Matrix, K1: Matrix, K2: Matrix): void {
    this.square.value = t.value * t.value;
    this.E.combine(Kt, 1, K, t, K1);
    this.E.axpby(Kt, this.square, K2, 1);
  }

  /** Whether K(t) by the formula is precise enough; if not, it is to be computed as a product. */
  precise(t: number, K2: Matrix): boolean {
    const { c, error, trial } = this;
    const ratio = t / c.value;
    // ‖X(c)‖² in parts of ‖X‖²
    const size = 1 + (c.value * c.value * trace(K2)) / K2.rows;
    trial.value = Math.abs(1 - ratio) * error.value + 1 + Math.abs(ratio) * size;
    if (trial.value <= WORN) return true;
    trial.value = 1;
    return false;
  }

  /** The last trial point is where the next line begins. */
  accept(): void {
    this.error.value = this.trial.value;
  }
}

/** Whether a search is likely to end at t: there the parabola through φ(0), φ'(0) and φ(t) is nearly level. */
export const nearlyLevel = ({ t, f0, ft, slope0 }: Ray): boolean =>
  Math.abs((2 * (ft - f0)) / t - slope0) < -CURVATURE * slope0;
