/** The frame where XᵀBX = I, in the coordinates of B = RᵀR: that of Z = RX, ZᵀZ = I. */
import type { Constraint } from "../../constraints/constraint.js";
import { stiefelConstraint } from "../../constraints/stiefel.js";
import type { Engine, Small, Tall } from "../../types.js";
import { factorOperators } from "../lbfgs/metric-coordinates.js";
import { type Frame, frame } from "./frame.js";

/**
 * Tangent vectors are R·D, gradients R⁻ᵀ·∇f, points are seen as RX and given back as R⁻¹·(RX): two products with n×n matrices an
 * evaluation, and one for ‖grad f‖ in the coordinates of X, which is what a run is asked for. The condition of B does not count.
 */
export function metricFrame(E: Engine, { shape: { n, p } }: Constraint, factor: Small, turning?: boolean): Frame {
  const inner = frame(E, stiefelConstraint(E, n, p), turning);
  const { R, inverse } = factorOperators(E, n, factor);
  const [W, V] = [E.tall(n, p), E.tall(n, p)];
  /** RX of the points that were made here */
  const turned = new WeakMap<Tall, Tall>();
  function inCoordinates(X: Tall): Tall {
    let Z = turned.get(X);
    if (!Z) {
      turned.set(X, (Z = E.tall(n, p)));
      R.apply(Z, X);
    }
    return Z;
  }
  return {
    ...inner,
    room: () => W,
    split(g, S, X, G) {
      if (G !== W) E.copy(W, G);
      const there = inner.room(g);
      inverse.applyT(there, W);
      return inner.split(g, S, inCoordinates(X), there);
    },
    retract(Y, X, t, D) {
      const from = inCoordinates(X);
      const Z = turned.get(Y) ?? E.tall(n, p);
      turned.set(Y, Z);
      inner.retract(Z, from, t, D);
      inverse.apply(Y, Z);
    },
    chord: (X, Y) => inner.chord!(inCoordinates(X), inCoordinates(Y)),
    square({ Z, O }, X) {
      if (O) E.mul(W, inCoordinates(X), O);
      if (Z) E.combine(W, 1, Z, O ? 1 : 0, O ? W : Z);
      R.applyT(V, W);
      return E.dot(V, V);
    },
  };
}
