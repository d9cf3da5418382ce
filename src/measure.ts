import { proximal } from "./penalty/proximal.js";
import { nonsmoothStationarity } from "./penalty/tangent-prox.js";
import type { Engine, Matrix, Nonsmooth, Objective } from "./types.js";

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
export function measurer(E: Engine, f: Objective, nonsmooth?: Nonsmooth) {
  const { n, p } = f;
  const term = nonsmooth && proximal(E, n, nonsmooth);
  const [R, S, K] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
  const feasibilityOf = (X: Matrix): number => {
    E.gram(K, X);
    E.addDiagonal(K, -1);
    return Math.sqrt(E.dot(K, K));
  };
  return {
    R,
    S,
    K,
    feasibilityOf,
    measure(X: Matrix): Measures {
      const fval = f.fg(R, X);
      const gradient = Math.sqrt(E.dot(R, R));
      E.tmul(S, X, R);
      E.symmetrize(S);
      E.mul(R, X, S, -1, 1);
      const feasibility = feasibilityOf(X);
      if (!term || !Number.isFinite(fval)) return { fval, feasibility, gradient, stationarity: Math.sqrt(E.dot(R, R)) };
      const stationarity = nonsmoothStationarity(E, f, X, nonsmooth);
      return { fval: fval + term.value(X), feasibility, gradient, stationarity };
    },
  };
}

export type Measurer = ReturnType<typeof measurer>;
