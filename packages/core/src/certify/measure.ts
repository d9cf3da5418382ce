import type { Engine } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Measurer, Measures } from "../contracts/measures.js";
import type { Objective, Term } from "../contracts/objective.js";
import type { Point } from "../contracts/point.js";
import { pointOf } from "../manifolds/point.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";

/**
 * `measure` returns f, feasibility and stationarity at X, and writes S = sym(Xᵀ∇f) and the Riemannian gradient R = ∇f − BX·S. With a term r
 * beside f: f + r, and the residual of their first-order condition.
 */
export function measurer(
  E: Engine,
  f: Objective,
  beside?: Term,
  on: Constraint = stiefelConstraint(E, f.n, f.p),
): Measurer {
  const { n, p } = f;
  const term = beside?.bind(E, n, p);
  const [R, S, K] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
  const at = pointOf(E, on);
  function measureAt(x: Point): Measures {
    const fval = f.fg(R, x.X);
    const gradient = norm(E, R);
    on.dissolver.tangent(R, x, S);
    const feasibility = on.dissolver.K(K, x);
    if (!term || !Number.isFinite(fval)) return { fval, feasibility, gradient, stationarity: norm(E, R) };
    const stationarity = term.stationarity(f, x.X);
    return { fval: fval + term.value(x.X), feasibility, gradient, stationarity };
  }
  return {
    R,
    S,
    feasibilityOf: (X) => on.dissolver.K(K, at(X)),
    measureAt,
    measure: (X) => measureAt(at(X)),
  };
}
