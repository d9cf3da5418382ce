import type { Constraint } from "../constraints/constraint.js";
import { stiefelConstraint } from "../constraints/stiefel.js";
import { norm } from "../linalg/norm.js";
import { proximal } from "../penalty/proximal.js";
import { nonsmoothStationarity } from "../penalty/tangent-prox.js";
import type { Engine, Nonsmooth, Objective, Tall } from "../types.js";

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
export function measurer(
  E: Engine,
  f: Objective,
  nonsmooth?: Nonsmooth,
  on: Constraint = stiefelConstraint(E, f.n, f.p),
) {
  const { n, p } = f;
  const term = nonsmooth && proximal(E, n, nonsmooth);
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
      const stationarity = nonsmoothStationarity(E, f, X, nonsmooth);
      return { fval: fval + term.value(X), feasibility, gradient, stationarity };
    },
  };
}

export type Measurer = ReturnType<typeof measurer>;
