import { determinantSign } from "../arrays/determinant-sign.js";
import type { Engine, Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";
import { stiefelConstraint } from "./stiefel.js";

/**
 * Rotations, XᵀX = I with det X = 1. The ways back end at the nearest rotation, U·Diag(1, …, 1, ±1)·Vᵀ of X = U·Diag(s)·Vᵀ: the last
 * singular value changes its sign where det X < 0, which no path of steps sees as a jump. Tangent steps X(I + tΩ), Ω skew, have
 * det = Π(1 + t²ω²) > 0 and never cross.
 */
export function specialOrthogonalConstraint(E: Engine, n: number): Constraint {
  const stiefel = stiefelConstraint(E, n, n);
  const I = E.tall(n, n);
  let at = 0;
  E.write(I, () => (at++ % (n + 1) === 0 ? 1 : 0));
  /** X as a small matrix, and scratch of the singular value decomposition */
  const [x, U, V, W] = [E.small(n, n), E.small(n, n), E.small(n, n), E.small(n, n)];
  const s = new Float64Array(n);

  const positive = (Y: Tall): boolean => {
    E.tmul(x, I, Y);
    return determinantSign(E.read(x), n) > 0;
  };

  /** The same way back, and the nearest rotation where it ends at a reflection */
  function turned<R>(way: (Y: Tall, X: Tall) => R): (Y: Tall, X: Tall) => R {
    return (Y, X) => {
      const result = way(Y, X);
      if (positive(Y)) return result;
      E.tmul(x, I, X);
      E.factor.svd(U, s, V, x);
      flipLast(E, W, U, n);
      E.mulT(x, W, V);
      E.mul(Y, I, x);
      return result;
    };
  }

  return {
    ...stiefel,
    name: "special-orthogonal",
    inside: positive,
    orthonormal: false,
    restorer: () => turned(stiefel.restorer()),
    projector: () => turned(stiefel.projector()),
    approacher() {
      const approach = stiefel.approacher();
      return (Y, X, above) => {
        let violation = 0;
        turned((Y, X) => {
          violation = approach(Y, X, above);
        })(Y, X);
        return violation;
      };
    },
    random(X, r) {
      stiefel.random(X, r);
      turned((Y, X) => E.copy(Y, X))(X, copyOf(E, X));
    },
  };
}

/** W ← U with its last column negated */
function flipLast(E: Engine, W: Small, U: Small, n: number): void {
  const flip = E.small(n, n);
  E.addDiagonal(flip, 1);
  const numbers = E.read(flip);
  numbers[n * n - 1] = -1;
  E.write(flip, numbers);
  E.mul(W, U, flip);
}

function copyOf(E: Engine, X: Tall): Tall {
  const Y = E.tall(X.rows, X.cols);
  E.copy(Y, X);
  return Y;
}
