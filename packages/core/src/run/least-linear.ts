/** The least value of an f that is linear on the manifold */

import type { Tall } from "@expen/linalg";
import type { Solver, State } from "../contracts/method.js";
import { newState, roundingFloor } from "../methods/state.js";
import { linearPartOn } from "../objective/linear-part.js";
import type { Known } from "./strategy.js";

/** ‖G − L − cX‖ relative to its terms, up to which a form is linear: roundoff */
const LINEAR = 1e-12;
/** ‖grad f‖ at the end relative to the largest of the run: roundoff */
const STATIONARY = 1e-7;

/** −L of a declared form that is linear by itself, or as G − L = BXC = cX at the start */
export function leastOfForm({ E, f, X0, on }: Known, G: Tall, L: Tall): Tall | undefined {
  const Z = E.tall(f.n, f.p);
  if (linearPartOn(on, f.quadratic)) return negated();
  E.combine(Z, 1, G, -1, L);
  const size = E.dot(Z, Z) + E.dot(L, L);
  E.combine(Z, 1, Z, -E.dot(Z, X0) / E.dot(X0, X0), X0);
  return E.dot(Z, Z) <= LINEAR ** 2 * size ? negated() : undefined;

  function negated(): Tall {
    E.combine(Z, -1, L, 0, L);
    return Z;
  }
}

/** The end of a run at the nearest point to −L, if f is lower and stationary there; writes into the argument */
export function endAtLeast({ E, f, on }: Known, negatedL: Tall, last: State): Solver | undefined {
  const [near, x] = [on.point(), on.point(negatedL)];
  const [G, X] = [near.X, x.X];
  on.restore(near, X);
  // once more, from nearby: to rounding
  on.restore(x, G);
  const value = f.fg(G, X);
  on.dissolver.tangent(G, x);
  const gnorm = Math.sqrt(E.dot(G, G));
  if (!(value < last.f && gnorm <= STATIONARY * last.gnormMax)) return undefined;
  E.combine(G, 1, X, -1, last.X);
  const moved = { k: last.k + 1, gnormMax: last.gnormMax, decrease: last.f - value, step: Math.sqrt(E.dot(G, G)) };
  return ending({ ...newState({ X, f: value, evaluations: last.evaluations }, gnorm), ...moved });
}

function* ending(end: State): Solver {
  yield end;
  return roundingFloor(end.gnorm);
}
