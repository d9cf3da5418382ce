import { EPS } from "../arrays/scale.js";
import { cholesky } from "../linalg/cholesky.js";
import { polar } from "../linalg/polar.js";
import { orthonormalizer } from "../linalg/qr.js";
import { rightDivider } from "../linalg/triangular.js";
import type { Engine, Geometry, Matrix } from "../types.js";
import { cayley } from "./cayley.js";
import { exponential } from "./exponential.js";
import { normalStep } from "./normal-step.js";

type Retract = Geometry["retract"];

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
      if (E.dot(S, S) < 1e4 * p && cholesky(E, R, S)) divide(Y, Z, R);
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

  cayley: (E: Engine, n: number, p: number): Retract => tidied(E, n, p, cayley(E, n, p)),

  exponential: (E: Engine, n: number, p: number): Retract => tidied(E, n, p, exponential(E, n, p)),
} as const;

export type RetractionName = keyof typeof retractions;

/** A curve that is feasible in exact arithmetic, made feasible to rounding by normal steps where it is not. */
function tidied(E: Engine, n: number, p: number, curve: Retract): Retract {
  const step = normalStep(E, p);
  const Z = E.tall(n, p);
  const above = 4 * EPS * Math.sqrt(p);
  return (Y, X, t, D) => {
    curve(Z, X, t, D);
    if (step(Y, Z, above) > 1e-7) {
      E.copy(Z, Y);
      step(Y, Z, above);
    }
  };
}

/** The Stiefel manifold that shows what its last projection removed. */
export interface StiefelGeometry extends Geometry {
  /** sym(XᵀZ) of the last `project(Z, X)`: the multiplier at X, where Z was ∇f(X) */
  readonly S: Matrix;
}

/**
 * The Stiefel manifold with the metric of ℝⁿˣᵖ: P_X(Z) = Z − X·sym(XᵀZ) makes gradients of Euclidean ones (`project`) and moves vectors
 * to another tangent space (`transport`); the Hessian is P_X(∇²f[D] − D·S), S = sym(XᵀG).
 */
export function stiefel(
  E: Engine,
  n: number,
  p: number,
  {
    retraction = "qr",
    retract = retractions[retraction](E, n, p),
  }: { retraction?: RetractionName; retract?: Retract } = {},
): StiefelGeometry {
  const [S, T] = [E.small(p, p), E.small(p, p)];
  const symmetricPart = (S: Matrix, Z: Matrix, X: Matrix): void => {
    E.tmul(S, X, Z);
    E.symmetrize(S);
  };
  // with another p×p matrix, so that S stays what the last gradient left there
  const transport = (Z: Matrix, X: Matrix): void => {
    symmetricPart(T, Z, X);
    E.mul(Z, X, T, -1, 1);
  };
  return {
    name: "stiefel",
    S,
    retract,
    transport,
    project(Z, X) {
      symmetricPart(S, Z, X);
      E.mul(Z, X, S, -1, 1);
    },
    hessian(H, D, X, G) {
      symmetricPart(S, G, X);
      E.mul(H, D, S, -1, 1);
      transport(H, X);
    },
  };
}
