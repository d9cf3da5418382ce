import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../../contracts/constraint.js";
import type { Precondition } from "../../contracts/method.js";
import type { ExPen } from "../../expen/penalty.js";
import { dissolving } from "../../manifolds/dissolving.js";
import { pointOf } from "../../manifolds/point.js";
import type { Pair } from "../quasi-newton/first/first-matrix.js";
import { onTangentSpace } from "./tangent.js";
import type { Watch } from "./watch.js";

export interface LearningPreconditioner {
  readonly precondition: Precondition;
  /** To be called with steps that end at X. */
  learn(pair: Pair, X: Tall): void;
}

/**
 * A preconditioner of f on tangent spaces made one of h = f(A(X)) + β/4·‖K‖². Of the Hessian of h the normal part is 2β to first order
 * (expen/estimates.ts), of which P knows nothing: for G = W + BX·S with W tangent
 *
 *     Z ← ΠPΠᵀ·W + ν·X·S,   ν = 1/(2βγ),   γ = ⟨s, Πᵀy⟩/⟨y, ΠPΠᵀ·y⟩ of the newest pair,
 *
 * as P is right up to a factor γ. Holds 4 n×p matrices.
 */
export function penaltyPreconditioner(
  E: Engine,
  on: Constraint,
  h: ExPen,
  user: Precondition,
  watch?: Watch,
): LearningPreconditioner {
  const { n, p } = on.shape;
  const tangent = onTangentSpace(E, n, p, dissolving(E, on), user);
  const at = pointOf(E, on);
  const [S, W, V] = [E.small(p, p), E.tall(n, p), E.tall(n, p)];
  let gamma = 1;
  return {
    precondition(Z, X, G) {
      tangent(Z, X, G);
      const nu = 1 / (2 * h.beta * gamma);
      E.copy(W, G);
      on.dissolver.tangent(W, at(X), S);
      if (on.traits.metric) return E.mul(Z, X, S, nu, 1);
      E.combine(Z, nu, G, 1, Z);
      E.combine(Z, -nu, W, 1, Z);
    },
    learn({ t, D, y }, X) {
      E.copy(W, y);
      on.dissolver.tangent(W, at(X));
      tangent(V, X, W);
      const [sy, yPy] = [t * E.dot(D, W), E.dot(W, V)];
      if (sy > 0) watch?.requirePositive(yPy);
      watch?.see(t, D, W, V);
      if (sy > 0 && yPy > 0) gamma = sy / yPy;
    },
  };
}
