import type { Constraint } from "../constraints/constraint.js";
import { stiefelConstraint } from "../constraints/stiefel.js";
import type { Engine, Objective, Small, Tall } from "../types.js";

/** What the fields of infeasible methods are made of, at one X: K = XᵀX − I, M = XᵀG, S = sym(M). */
export interface Parts {
  /** the constraint whose K and S they are */
  readonly on: Constraint;
  readonly K: Small;
  readonly M: Small;
  readonly S: Small;
}

/** A function with a field in the place of its gradient. */
export interface Augmented extends Objective {
  beta: number;
  /** ‖XᵀX − I‖ at the last point */
  readonly feasibility: number;
  /** its parts there */
  readonly parts: Parts;
}

/**
 * The augmented Lagrangian with its multiplier in closed form, which is also the function of PenC [Xiao, Liu, Yuan 2022]:
 *
 *     h(X) = f(X) − ½⟨S, K⟩ + β/4·‖K‖²,   K = XᵀX − I,   S = sym(Xᵀ∇f(X)).
 *
 * It serves PLAM, PCAL, PenCF, SLPG and landing as merit function: each follows a field of its own instead of ∇h (whose terms
 * −½∇²f[XK] − ½∇f·K need second derivatives). `fg` returns h and lets `field` turn G = ∇f(X) into that field in place.
 */
export function augmented(
  E: Engine,
  f: Objective,
  beta: number,
  field: (G: Tall, X: Tall, parts: Parts, beta: number) => void,
  on: Constraint = stiefelConstraint(E, f.n, f.p),
): Augmented {
  const { n, p } = f;
  const parts = { on, K: E.small(p, p), M: E.small(p, p), S: E.small(p, p) };
  const { K, M, S } = parts;
  const V = E.tall(n, p);
  let feasibility = 0;

  function value(G: Tall, X: Tall): number {
    const fval = f.fg(G, X);
    feasibility = on.residual(K, X);
    on.multiplier(S, X, G, M);
    return fval - 0.5 * E.dot(S, K) + (h.beta / 4) * feasibility ** 2;
  }

  const h: Augmented = {
    n,
    p,
    beta,
    parts,
    get feasibility() {
      return feasibility;
    },
    f: (X) => value(V, X),
    fg(G, X) {
      const merit = value(G, X);
      field(G, X, parts, h.beta);
      return merit;
    },
  };
  return h;
}

/** G ← G − X·S + β·X·K: the field of PLAM and PenCF, exact to first order in K */
export function penaltyField(E: Engine, p: number): (G: Tall, X: Tall, parts: Parts, beta: number) => void {
  const B = E.small(p, p);
  return (G, X, { on, K, S }, beta) => {
    E.combine(B, beta, K, -1, S);
    on.normal(G, X, B);
  };
}

/** G ← G − X·S: the tangent part alone, of SLPG */
export const tangentField = (G: Tall, X: Tall, { on, S }: Parts): void => on.normal(G, X, S, -1);
