/** Points as f sees them: what a run shows, takes and gives back. */

import type { Matrix, Tall } from "@expen/linalg";
import { copyOfRows } from "@expen/linalg/engine";
import { type Domain, itself, mapView, type View } from "../contracts/manifold.js";
import type { Precondition, State } from "../contracts/objective.js";

/** The point in plain numbers. Typed as the one matrix that it mostly is; the caller knows its manifold. */
export function plain({ base, view }: Domain<View>, X: Tall): Matrix {
  return mapView(view(X), (A: Matrix) => copyOfRows(base, A as Tall)) as Matrix;
}

/** A user's preconditioner on points */
export const inView = ({ view }: Domain<View>, precondition: Precondition): Precondition => {
  const seen = (X: Tall): Tall => view(X) as Tall;
  return (Z, X, G) => precondition(seen(Z), seen(X), seen(G));
};

/** States whose X is the view: the state itself where a point is a matrix, else one object that looks at it */
export function seen({ view }: Domain<View>): (s: State) => State {
  let [of, shown]: [State | undefined, State | undefined] = [undefined, undefined];
  if ((view as (X: Tall) => View) === itself) return (s) => s;
  return (s) => {
    if (of !== s) {
      of = s;
      shown = Object.create(s, { X: { get: () => view(s.X), enumerable: true } }) as State;
    }
    return shown!;
  };
}
