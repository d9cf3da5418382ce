import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import { plainPoint } from "../manifolds/point.js";
import { equationsDissolver } from "./dissolver.js";
import type { Equations } from "./equations.js";
import type { Linearizations } from "./linearization.js";
import { length, wayBack } from "./way-back.js";

/** Random points that are tried before the known feasible one is taken */
const DRAWS = 8;

/**
 * c(X) = 0 with m equations, some of which may follow from others. K is c(X), and the multiplier S is λ = (JJᵀ)⁺J∇f: at a feasible X the
 * gradient of f(A(X)) + β/4·‖c(X)‖², A(X) = X − Jᵀ(JJᵀ)⁺c(X), is
 *
 *     ∇f − Jᵀλ,
 *
 * whatever β is. Neither β nor the derivative of A is needed, and second derivatives of c only for those of f along the manifold,
 * P(∇²f[D] − Σλ_i∇²c_i[D]). `known`: a feasible point;
 * `isNear`: random points are drawn near it.
 */
export function equationsConstraint(
  E: Engine,
  c: Equations,
  jacobians: Linearizations,
  known: Tall,
  isNear: boolean,
): Constraint {
  const { rows: n, cols: p } = known;
  const { at } = jacobians;
  const back = wayBack(E, c, jacobians, n, p);
  const r = new Float64Array(c.size);
  const rank = at(known)?.rank ?? 0;
  const size = norm(E, known);

  /** X ← Z, brought back; a Z that is not finite stays what it is */
  function project(y: { X: Tall }, Z: Tall): number {
    E.copy(y.X, Z);
    if (!Number.isFinite(norm(E, Z)) || back.solve(y.X)) return p;
    const [from, left] = [digits(valueAt(Z)), digits(back.violation)];
    const where = `near the one given, where ‖c‖ is ${from}; steps end where it is ${left}`;
    throw new RangeError(`ownManifold: no feasible point was found ${where}: give another start.`);
  }
  function valueAt(X: Tall): number {
    c.value(r, X);
    return length(r);
  }

  return {
    name: "own-manifold",
    shape: { n, p },
    dimension: n * p - rank,
    size,
    longestStep: Number.POSITIVE_INFINITY,
    traits: {
      orthonormal: false,
      coordinates: "free",
      equations: {
        rank,
        rankAt: (X) => at(X)?.rank ?? 0,
        retract(Y, X) {
          const J = at(X);
          if (J && back.follow(Y, J)) return true;
          E.fill(Y, Number.NaN);
          return false;
        },
      },
      singularity(X) {
        const here = at(X)?.rank ?? 0;
        if (here === rank) return undefined;
        const ranks = `the Jacobian of c has rank ${here} here and ${rank} at other points`;
        return `${ranks}: a singular point, where the gradient is that of the equations that are left`;
      },
    },
    dissolver: equationsDissolver(E, c, at, n, p),
    point: (X = E.tall(n, p)) => plainPoint(X),
    update() {},
    restore(y, Z) {
      E.copy(y.X, Z);
      if (!back.solve(y.X)) E.fill(y.X, Number.NaN);
    },
    project,
    random(y, { normal }) {
      const scale = size / Math.sqrt(n * p);
      for (let draw = 0; draw < DRAWS; draw++) {
        E.write(y.X, () => scale * normal());
        if (isNear) E.combine(y.X, 0.5, y.X, 1, known);
        if (back.solve(y.X)) return;
      }
      E.copy(y.X, known);
    },
  };
}
