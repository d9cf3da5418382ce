import type { Engine, Tall } from "@expen/linalg";
import { orthonormalizer, polar, rightDivider } from "@expen/linalg/dense";
import type { Geometry } from "../contracts/method.js";

/** Y ← R_X(t·D) of matrices, on XᵀX = I */
export type Retract = (Y: Tall, X: Tall, t: number, D: Tall) => void;

/** The same of points */
export const retraction =
  (retract: Retract): Geometry["retract"] =>
  (y, x, t, D) =>
    retract(y.X, x.X, t, D);

/** Each makes a retraction with its scratch: R_X(0) = X, R_X'(0)[D] = D, R_X(tD) feasible to rounding. */
export const retractions = {
  /** Q of X + tD with a positive diagonal of R; CholeskyQR2, Householder where that fails */
  qr(E: Engine, n: number, p: number): Retract {
    const orthonormalize = orthonormalizer(E, n, p);
    const Z = E.tall(n, p);
    return (Y, X, t, D) => {
      E.combine(Z, 1, X, t, D);
      orthonormalize(Y, Z);
    };
  },

  /** (X + tD)·R⁻¹ with RᵀR = (X + tD)ᵀ(X + tD), one pass: enough while ‖tD‖₂ is moderate, as XᵀX + t²DᵀD is then well conditioned */
  "cholesky-qr"(E: Engine, n: number, p: number): Retract {
    const [S, R, Z] = [E.small(p, p), E.small(p, p), E.tall(n, p)];
    const divide = rightDivider(E, p);
    const orthonormalize = orthonormalizer(E, n, p);
    return (Y, X, t, D) => {
      E.combine(Z, 1, X, t, D);
      E.gram(S, Z);
      if (E.dot(S, S) < 1e4 * p && E.factor.cholesky(R, S)) divide(Y, Z, R);
      else orthonormalize(Y, Z);
    };
  },

  /** (X + tD)·(I + t²DᵀD)^(−1/2): the nearest feasible point; of second order */
  polar(E: Engine, n: number, p: number): Retract {
    const project = polar(E, n, p);
    const Z = E.tall(n, p);
    return (Y, X, t, D) => {
      E.combine(Z, 1, X, t, D);
      project(Y, Z);
    };
  },
} as const;

export type RetractionName = keyof typeof retractions;
