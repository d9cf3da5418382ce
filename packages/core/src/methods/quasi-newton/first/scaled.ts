import type { Space, Tall } from "@expen/linalg";
import type { Geometry, Precondition } from "../../../contracts/method.js";
import { onTangentSpace } from "../../precondition/tangent.js";
import type { Watch } from "../../precondition/watch.js";
import type { FirstMatrix, Pair } from "./first-matrix.js";
import { lazyNumber } from "./lazy-number.js";

/** γ·I with γ = ⟨s, y⟩/⟨y, y⟩ of the newest pair */
export function scaledIdentity(E: Space): FirstMatrix {
  const gamma = lazyNumber(1);
  return {
    scaled: false,
    multiple: gamma,
    apply: (R, _X, Q) => E.combine(R, gamma.value(), Q, 0, Q),
    learn(_X, pair) {
      if (pair && pair.dy > 0) gamma.set((yy = E.dot(pair.y, pair.y)) => (pair.t * pair.dy) / yy);
    },
    forget: () => false,
  };
}

/**
 * γ·ΠPΠᵀ with γ = ⟨s, y⟩/⟨y, ΠPΠᵀ·y⟩ of the newest pair, Π the projector to the tangent space. `learn`: of a P that learns on the way;
 * `watch`: judges P. Holds 2 n×p matrices.
 */
export function scaledPreconditioner(
  E: Space,
  n: number,
  p: number,
  geometry: Geometry,
  precondition: Precondition,
  { learn, watch }: { learn?: ((pair: Pair, X: Tall) => void) | undefined; watch?: Watch | undefined } = {},
): FirstMatrix {
  const Z = E.tall(n, p);
  const tangent = onTangentSpace(E, n, p, geometry, precondition);
  let gamma = 1;
  let isTrusted = true;
  return {
    scaled: false,
    apply(R, X, Q) {
      if (!isTrusted) return E.copy(R, Q);
      tangent(Z, X, Q);
      E.combine(R, gamma, Z, 0, Z);
    },
    learn(X, pair) {
      isTrusted = true;
      if (!pair || !(pair.dy > 0)) return;
      learn?.(pair, X);
      tangent(Z, X, pair.y);
      const [sy, yPy] = [pair.t * pair.dy, E.dot(pair.y, Z)];
      watch?.requirePositive(yPy);
      watch?.see(pair.t, pair.D, pair.y, Z);
      gamma = sy / yPy;
    },
    forget() {
      const before = isTrusted;
      isTrusted = false;
      return before;
    },
  };
}
