/** Ways back to c(X) = 0: A(X) = X − Jᵀ(JJᵀ)⁺c(X), the dissolving map of c, iterated. */

import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Equations } from "./equations.js";
import type { Linearization, Linearizations } from "./linearization.js";

/** ‖c‖ at which Y counts as feasible, relative to max(1, ‖Y‖), and what rounding may leave where it falls no further */
const [FEASIBLE, ROUNDING] = [1e-13, 1e-9];
/** Most steps; each may be a short one far from the set, where c is far from linear */
const STEPS = 500;
/** Part of ‖c‖ that a step with the Jacobian of the step before may leave */
const HALF = 0.5;
/** ‖c‖ must fall by this factor in each chord step, */
const CONTRACTION = 0.8;
/** and all of them together be no longer than this multiple of the first: longer ones lead to another sheet of the set. */
const REACH = 2;
/** Halvings of a step that does not make ‖c‖ fall: c is then as far from linear as 10⁶ to 1 */
const HALVINGS = 20;
/** Least decrease of ‖c‖ in a damped step of length t, relative to t; the full step of a linear c has 1 */
const DECREASE = 0.5;

export interface WayBack {
  /** Y ← a feasible point near it by Gauss–Newton steps of least length; false where they end at another one */
  solve(Y: Tall): boolean;
  /**
   * Y ← Y − J₀ᵀw, feasible, by chord steps w ← w + (J₀J₀ᵀ)⁺c along the normal space of a point nearby, whose Jacobian is J₀. Of Y = X + tD
   * this is a retraction of second order at no further Jacobian [Absil and Malick, SIAM J. Optim. 22, 2012, the orthographic one]. False
   * where the steps do not contract: t is too long.
   */
  follow(Y: Tall, chord: Linearization): boolean;
  /** ‖c‖ where the last steps ended */
  readonly violation: number;
}

/** Ways back to c(X) = 0, also where equations follow from others */
export function wayBack(E: Engine, c: Equations, { passing }: Linearizations, n: number, p: number): WayBack {
  const [D, Z] = [E.tall(n, p), E.tall(n, p)];
  const [r, w] = [new Float64Array(c.size), new Float64Array(c.size)];
  let violation = Number.NaN;
  function measure(X: Tall): number {
    c.value(r, X);
    return length(r);
  }
  const isFeasible = (Y: Tall): boolean => violation <= FEASIBLE * Math.max(1, norm(E, Y));
  /** D ← −Jᵀ(JJᵀ)⁺c, with c in r */
  function step(J: Linearization): void {
    for (let i = 0; i < w.length; i++) w[i] = -r[i]!;
    J.solve(w);
    J.adjoint(D, w);
  }

  /** Y ← Y + tD with a smaller ‖c‖; false if there is none */
  function damped(Y: Tall): boolean {
    let t = 1;
    for (let halving = 0; halving <= HALVINGS; halving++, t /= 2) {
      E.combine(Z, 1, Y, t, D);
      const smaller = measure(Z);
      if (!(smaller <= (1 - DECREASE * t) * violation)) continue;
      E.copy(Y, Z);
      violation = smaller;
      return true;
    }
    return false;
  }

  /** Y ← Y + D by a Jacobian nearby, where that halves ‖c‖ */
  function again(Y: Tall, J: Linearization): boolean {
    step(J);
    E.combine(Z, 1, Y, 1, D);
    const smaller = measure(Z);
    if (!(smaller <= HALF * violation)) {
      measure(Y);
      return false;
    }
    E.copy(Y, Z);
    violation = smaller;
    return true;
  }

  return {
    solve(Y) {
      violation = measure(Y);
      let J: Linearization | undefined;
      for (let k = 0; k < STEPS; k++) {
        if (!Number.isFinite(violation)) return false;
        if (isFeasible(Y)) return true;
        // the last Jacobian as long as it halves ‖c‖
        if (J && again(Y, J)) continue;
        J = passing(Y);
        if (!J) return false;
        step(J);
        if (!damped(Y)) break;
      }
      return violation <= ROUNDING;
    },
    follow(Y, chord) {
      let last = Number.POSITIVE_INFINITY;
      let [first, total] = [0, 0];
      for (let k = 0; k < STEPS; k++) {
        violation = measure(Y);
        if (isFeasible(Y)) return true;
        if (!(violation <= CONTRACTION * last)) return violation <= ROUNDING;
        last = violation;
        step(chord);
        const size = norm(E, D);
        if (k === 0) first = size;
        total += size;
        if (total > REACH * first) return violation <= ROUNDING;
        E.combine(Y, 1, Y, 1, D);
      }
      return violation <= ROUNDING;
    },
    get violation() {
      return violation;
    },
  };
}

export const length = (r: Float64Array): number => Math.sqrt(r.reduce((sum, v) => sum + v * v, 0));
