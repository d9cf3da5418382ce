import type { Tall } from "@expen/linalg";
import type { Escape } from "../contracts/certificate.js";
import { nearestFeasible } from "./feasible.js";
import type { Setup } from "./setup.js";

/** The longest and the shortest step, in the unit of lengths */
const [LONGEST, SHORTEST] = [0.5, 1e-4];

/**
 * A feasible point below X, from steps both ways along a direction in which the Lagrangian falls and feasible points near their ends;
 * undefined if none has a lower f than f(X).
 */
export function belowSaddle(
  { E, on, L, blocks, F }: Setup,
  X: Tall,
  direction: Escape,
  { fval, constraintTolerance }: { fval: number; constraintTolerance: number },
): Tall | undefined {
  const { n, p } = on.shape;
  const [V, Z, y] = [E.tall(n, p), E.tall(n, p), on.point()];
  direction(V);
  for (let t = LONGEST * on.size; t >= SHORTEST * on.size; t /= 2) {
    for (const sign of [1, -1]) {
      E.combine(Z, 1, X, sign * t, V);
      on.project(y, Z);
      const near = nearestFeasible(E, on, blocks, y.X, constraintTolerance);
      if (!near.isFeasible) continue;
      L.f(near.X);
      F.forget();
      if (L.last.f < fval) return near.X;
    }
  }
  return undefined;
}
