import type { Constraint } from "../constraints/constraint.js";
import { stiefelConstraint } from "../constraints/stiefel.js";
import { norm } from "../linalg/norm.js";
import type { Engine, Objective, Tall, Term } from "../types.js";

/** The two measures by which every solver is judged, at a feasible X, with the multiplier they come from. */
export interface Measures {
  fval: number;
  /** ‖XᵀX − I‖_F */
  feasibility: number;
  /** ‖∇f − X·S‖_F */
  stationarity: number;
  /** ‖∇f‖_F */
  gradient: number;
}

/**
 * f, feasibility and stationarity at X; S = sym(Xᵀ∇f) and the Riemannian gradient R = ∇f − X·S stay behind in `S` and `R`. With a term r
 * beside f: f + r, and how far X is from the first-order condition of the two.
 */
export function measurer(E: Engine, f: Objective, beside?: Term, on: Constraint = stiefelConstraint(E, f.n, f.p)) {
  const { n, p } = f;
  const term = beside?.bind(E, n, p);
  const [R, S] = [E.tall(n, p), E.small(p, p)];
  return {
    R,
    S,
    /** ‖XᵀX − I‖_F */
    feasibilityOf: on.violation,
    measure(X: Tall): Measures {
      const fval = f.fg(R, X);
      const gradient = norm(E, R);
      on.tangent(R, X, S);
      const feasibility = on.violation(X);
      if (!term || !Number.isFinite(fval)) return { fval, feasibility, gradient, stationarity: norm(E, R) };
      const stationarity = term.stationarity(f, X);
      return { fval: fval + term.value(X), feasibility, gradient, stationarity };
    },
  };
}

export type Measurer = ReturnType<typeof measurer>;
