import type { Constraint, Objective, Point } from "@expen/core";
import { pointOf, stiefelConstraint } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";

/** The p×p matrices of an infeasible method at one X: K = XᵀX − I, M = XᵀG, S = sym(M). */
export interface Parts {
  /** the constraint that defines K and S */
  readonly on: Constraint;
  readonly K: Small;
  readonly M: Small;
  readonly S: Small;
}

/** G ← the field that a method follows in the place of the gradient; on entry G = ∇f(X) */
export type Field = (G: Tall, x: Point, parts: Parts, beta: number) => void;

/** A merit function whose `fg` gives a field in the place of its gradient. */
export interface Augmented extends Objective {
  beta: number;
  /** ‖XᵀX − I‖ at the last point evaluated */
  readonly feasibility: number;
  /** K, M and S at that point */
  readonly parts: Parts;
}

/**
 * The augmented Lagrangian with its multiplier in closed form [Gao, Liu, Yuan, SIAM J. Sci. Comput. 41, 2019], which is also the penalty
 * function PenC [Xiao, Liu, Yuan, Optim. Methods Softw. 37, 2022]:
 *
 *     h(X) = f(X) − ½⟨S, K⟩ + β/4·‖K‖²,   K = XᵀX − I,   S = sym(Xᵀ∇f(X)).
 *
 * PLAM, PCAL, PenCF, SLPG and landing use h as merit function. None of them follows ∇h, whose terms −½∇²f[XK] − ½∇f·K need second
 * derivatives: `fg` returns h, and `field` overwrites G = ∇f(X) with the field of the method.
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

/** G ← G − X·S + β·X·K, the field of PLAM and PenCF: ∇h without −½∇²f[XK] − ½∇f·K */
export function penaltyField(E: Engine, p: number): Field {
  const B = E.small(p, p);
  return (G, x, { on, K, S }, beta) => {
    E.combine(B, beta, K, -1, S);
    on.dissolver.normal(G, x, B);
  };
}

/** G ← G − X·S, the tangential part, which SLPG follows */
export const tangentField: Field = (G, x, { on, S }) => on.dissolver.normal(G, x, S, -1);
