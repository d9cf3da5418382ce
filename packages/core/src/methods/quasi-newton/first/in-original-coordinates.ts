import type { Tall } from "@expen/linalg";
import type { Frame, Tangent } from "../tangent.js";
import type { FirstMatrix } from "./first-matrix.js";
import { due } from "./in-frame.js";

/** Pairs that are compared: the first ones, and then every third */
const COMPARED = { first: 6, period: 3 };
/** Weight of a comparison against the one after it: the first pairs are those of large eigenvalues, and the others have a say later. */
const DECAY = 0.5;

/** The coordinates of X in a frame that works in those of Z = RX: a step s is R⁻¹s there, a change y of gradients Rᵀy. */
export interface OriginalCoordinates {
  /** ‖R⁻¹s‖² */
  stepSquared(s: Tangent, X: Tall): number;
  /** ‖Rᵀy‖² */
  gradientSquared(y: Tangent, X: Tall): number;
  /** Q ← P·RRᵀ·Q, P the projection to the tangent space: the identity there as a first matrix here */
  identity(Q: Tangent, X: Tall): void;
}

/**
 * The given first matrix, or γ·P·RRᵀ·P, the multiple of the identity in the coordinates of X. Where the Hessian of f is like B, the
 * condition of B does not count in those of Z = RX; where it has nothing to do with B, as for A and B drawn by themselves, it is multiplied
 * with its own. The pairs decide: a Hessian is nearer to a multiple of I where the angle between s and y is smaller, and as ⟨s, y⟩ is
 * the same in both coordinates, where ‖s‖·‖y‖ is.
 */
export function orOriginalIdentity(
  frame: Frame,
  H: FirstMatrix<Tangent>,
  original: OriginalCoordinates,
): FirstMatrix<Tangent> {
  /** pairs seen, the sum of log ‖s‖²‖y‖² here over that in the coordinates of X, and γ there */
  let [pairs, gain, gamma] = [0, 0, 0];
  const usesOriginal = (): boolean => gain > 0 && gamma > 0;
  return {
    get scaled() {
      return H.scaled;
    },
    apply(R, X, Q) {
      if (!usesOriginal()) return H.apply(R, X, Q);
      frame.combine(R, gamma, Q, 0, Q);
      original.identity(R, X);
    },
    prepare: (trial) => H.prepare?.(trial),
    learn(X, pair) {
      H.learn(X, pair);
      if (!pair || !(pair.dy > 0)) return;
      const { t, D, y, dd, dy } = pair;
      const isCompared = due(pairs++, COMPARED);
      if (!isCompared && !usesOriginal()) return;
      const yy = original.gradientSquared(y, X);
      if (isCompared) gain = DECAY * gain + Math.log((dd * frame.inner(y, y)) / (original.stepSquared(D, X) * yy));
      gamma = (t * dy) / yy;
    },
    forget() {
      const wasUsed = usesOriginal();
      gamma = 0;
      return H.forget() || wasUsed;
    },
  };
}
