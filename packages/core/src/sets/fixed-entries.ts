import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import { entrywiseProduct } from "@expen/linalg/engine";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { pointOf } from "../manifolds/point.js";

/** Steps of conjugate gradients at most, and the residual at which they end, relative to that of the right side */
const [STEPS, SMALL] = [300, 1e-15];

export interface FixedEntries {
  /** w, which is 0 where entries are free, with M𝒥𝒥ᵀw = M𝒥Z for tangent Z; overwritten by the next call */
  multipliersOf(Z: Tall): Tall;
  /** Z ← Z − 𝒥ᵀw */
  project(Z: Tall): void;
  /** the largest ‖M𝒥Z‖/‖Z‖ that a projection has left */
  readonly left: number;
}

/**
 * The projection of tangent vectors to those that leave entries of X as they are, where M, with entries 0 and 1, has its ones:
 * {D : M∘𝒥D = 0}, 𝒥 the projection to the tangent space (for B ≠ I gradients are no tangent vectors, and 𝒥 is not symmetric). The
 * operator M𝒥𝒥ᵀM is M less one of the rank of the equations of the manifold, p(p + 1)/2 for XᵀX = I, so conjugate gradients take few
 * steps; it is singular where gradients depend on each other, and its equations stay solvable.
 */
export function fixedEntries(E: Engine, on: Constraint, x: Point, M: Tall): FixedEntries {
  const { n, p } = on.shape;
  const [w, r, d, q, J] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const along = pointOf(E, on);
  let left = 0;
  /** Y ← M∘𝒥Z for a Z in the range of 𝒥ᵀ */
  function entries(Y: Tall, Z: Tall): void {
    if (on.traits.metric) on.dissolver.direction(J, x, along(Z));
    else E.copy(J, Z);
    E.map([Y], entrywiseProduct, [J, M]);
  }
  function multipliersOf(Z: Tall): Tall {
    E.fill(w, 0);
    entries(r, Z);
    E.copy(d, r);
    let square = E.dot(r, r);
    const least = SMALL ** 2 * square;
    for (let k = 0; k < STEPS && square > least; k++) {
      E.copy(q, d);
      on.dissolver.tangent(q, x);
      entries(q, q);
      const slope = E.dot(d, q);
      if (!(slope > 0)) break;
      E.combine(w, 1, w, square / slope, d);
      E.combine(r, 1, r, -square / slope, q);
      const next = E.dot(r, r);
      E.combine(d, 1, r, next / square, d);
      square = next;
    }
    return w;
  }
  return {
    multipliersOf,
    project(Z) {
      const size = norm(E, Z);
      // the second time for the roundoff of the first
      for (let pass = 0; pass < 2; pass++) {
        const W = multipliersOf(Z);
        on.dissolver.tangent(W, x);
        E.combine(Z, 1, Z, -1, W);
      }
      entries(r, Z);
      if (size > 0) left = Math.max(left, norm(E, r) / size);
    },
    get left() {
      return left;
    },
  };
}
