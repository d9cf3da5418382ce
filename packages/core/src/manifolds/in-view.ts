/** Functions and states of points as those of views, which f sees */

import type { Tall } from "@expen/linalg";
import type { Domain, View } from "../contracts/manifold.js";
import type { Precondition, State } from "../contracts/method.js";
import { itself } from "./view.js";

/** A preconditioner of views as one of points */
export const preconditionInView = ({ on, view, chart }: Domain<View>, precondition: Precondition): Precondition => {
  if (chart) throw new TypeError(`precondition: on ${on.name} a run works on other numbers than f; leave it out.`);
  const viewOf = (X: Tall): Tall => view(X) as Tall;
  return (Z, X, G) => precondition(viewOf(Z), viewOf(X), viewOf(G));
};

/** States whose X is the view: the state itself where a point is a matrix, else one object that reads from it */
export function statesInView({ view }: Domain<View>): (s: State) => State {
  let [last, inView]: [State | undefined, State | undefined] = [undefined, undefined];
  if ((view as (X: Tall) => View) === itself) return (s) => s;
  return (s) => {
    if (last !== s) {
      last = s;
      inView = Object.create(s, { X: { get: () => view(s.X), enumerable: true } }) as State;
    }
    return inView!;
  };
}
