import type { Constraint, Objective, Point } from "@expen/core";
import { pointOf, stiefelConstraint } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";

/** What the fields of infeasible methods are made of, at one X: K = XᵀX − I, M = XᵀG, S = sym(M). */
export interface Parts {
  /** the constraint whose K and S they are */
  readonly on: Constraint;
  readonly K: Small;
  readonly M: Small;
  readonly S: Small;
}

/** G = ∇f(X) ← the field that a method follows in its place */
export type Field = (G: Tall, x: Point, parts: Parts, beta: number) => void;

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
  field: Field,
  on: Constraint = stiefelConstraint(E, f.n, f.p),
): Augmented {
  const { n, p } = f;
  const parts = { on, K: E.small(p, p), M: E.small(p, p), S: E.small(p, p) };
  const { K, M, S } = parts;
  const V = E.tall(n, p);
  const at = pointOf(E, on);
  let feasibility = 0;

  function value(G: Tall, x: Point): number {
    const fval = f.fg(G, x.X);
    feasibility = on.dissolver.K(K, x);
    on.dissolver.S(S, x, G, M);
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
    f: (X) => value(V, at(X)),
    fg(G, X) {
      const x = at(X);
      const merit = value(G, x);
      field(G, x, parts, h.beta);
      return merit;
    },
  };
  return h;
}

/** G ← G − X·S + β·X·K: the field of PLAM and PenCF, exact to first order in K */
export function penaltyField(E: Engine, p: number): Field {
  const B = E.small(p, p);
  return (G, x, { on, K, S }, beta) => {
    E.combine(B, beta, K, -1, S);
    on.dissolver.normal(G, x, B);
  };
}

/** G ← G − X·S: the tangent part alone, of SLPG */
export const tangentField: Field = (G, x, { on, S }) => on.dissolver.normal(G, x, S, -1);
