import type { Engine, Small, Tall } from "@expen/linalg";
import { determinantSign } from "@expen/linalg/arrays";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { stiefelConstraint } from "./stiefel.js";

/** ‖X − Q‖_F ≥ ‖X − Q‖₂ below this: Q, a result of a way back, is orthonormal to much less than what is left to 1. */
const NEAR = 0.9;

/**
 * Rotations, XᵀX = I with det X = 1. The ways back end at the nearest rotation, U·Diag(1, …, 1, ±1)·Vᵀ of X = U·Diag(s)·Vᵀ: the last
 * singular value changes its sign where det X < 0, which no path of steps sees as a jump. Tangent steps X(I + tΩ), Ω skew, have
 * det = Π(1 + t²ω²) > 0 and never cross.
 *
 * The sign of det X costs an elimination on the host, n³/3 multiplications. Near a rotation Q that is known, ‖X − Q‖₂ < 1, it is that of
 * Q: all singular values of Q are 1, so no matrix between the two is singular. Such steps cost 4n² flops on the engine instead.
 */
export function specialOrthogonalConstraint(E: Engine, n: number): Constraint {
  const stiefel = stiefelConstraint(E, n, n);
  const I = E.tall(n, n);
  let at = 0;
  E.write(I, () => (at++ % (n + 1) === 0 ? 1 : 0));
  /** X as a small matrix, and scratch of the singular value decomposition */
  const [x, U, V, W] = [E.small(n, n), E.small(n, n), E.small(n, n), E.small(n, n)];
  const s = new Float64Array(n);
  const flip = lastNegated(E, n);

  const isRotation = (Y: Tall): boolean => {
    E.tmul(x, I, Y);
    return determinantSign(E.read(x), n) > 0;
  };

  /** the last rotation that a way back ended at, and a difference */
  const [Q, D] = [E.tall(n, n), E.tall(n, n)];
  let isKnown = false;
  function isNear(X: Tall): boolean {
    if (!isKnown) return false;
    E.combine(D, 1, X, -1, Q);
    return Math.sqrt(E.dot(D, D)) < NEAR;
  }

  /** y, where a way back from Z has ended, becomes the nearest rotation where it is a reflection. */
  function turnIfReflected({ X: Y }: Point, Z: Tall): void {
    // a way back keeps the sign of det Z
    if (!isNear(Z) && !isRotation(Y)) turn(Y, Z);
    E.copy(Q, Y);
    isKnown = true;
  }

  /** Y ← the nearest rotation to X, det X < 0 */
  function turn(Y: Tall, X: Tall): void {
    E.tmul(x, I, X);
    E.factor.svd(U, s, V, x);
    E.mul(W, U, flip);
    E.mulT(x, W, V);
    E.mul(Y, I, x);
  }

  return {
    ...stiefel,
    name: "special-orthogonal",
    traits: { orthonormal: false, coordinates: "basis", isRotation: true, inComponent: isRotation },
    restore(y, Z, tolerance) {
      stiefel.restore(y, Z, tolerance);
      turnIfReflected(y, Z);
    },
    project(y, Z) {
      const rank = stiefel.project(y, Z);
      turnIfReflected(y, Z);
      return rank;
    },
    random(y, r) {
      stiefel.random(y, r);
      // the nearest rotation to a reflection is any of many: a column is negated, on every engine the same one
      if (!isRotation(y.X)) E.mul(y.X, copyOf(E, y.X), flip);
    },
  };
}

/** Diag(1, …, 1, −1) */
function lastNegated(E: Engine, n: number): Small {
  const numbers = new Float64Array(n * n);
  for (let i = 0; i < n; i++) numbers[i * n + i] = i < n - 1 ? 1 : -1;
  return E.small(n, n, numbers);
}

function copyOf(E: Engine, X: Tall): Tall {
  const Y = E.tall(X.rows, X.cols);
  E.copy(Y, X);
  return Y;
}
