/** Points as f sees them, one matrix or several by name: in f, in the states, in a preconditioner and in the result */

import { type HostMatrix, hostMatrix, type Matrix, type Tall } from "@expen/linalg";
import { copyOfRows } from "@expen/linalg/engine";
import type { Domain, View } from "../contracts/manifold.js";
import type { Precondition, State } from "../contracts/method.js";

/** The view of a point that is one matrix */
export const itself = (X: Tall): Tall => X;

/** The matrices of a view with their names: "U", "Z.re"; "" for a view that is one matrix */
export function leaves(view: View, name = ""): { name: string; matrix: Matrix }[] {
  if (isMatrix(view)) return [{ name, matrix: view }];
  return Object.entries(view).flatMap(([key, part]) => leaves(part, name ? `${name}.${key}` : key));
}

/** The same view with another matrix in the place of each */
export function mapView<P extends View>(view: P, of: (matrix: Matrix) => Matrix): P {
  if (isMatrix(view)) return of(view) as P;
  return Object.fromEntries(Object.entries(view).map(([key, part]) => [key, mapView(part as View, of)])) as P;
}

export const isMatrix = (view: unknown): view is Matrix =>
  typeof view === "object" && view !== null && "rows" in view && typeof view.rows === "number";

/** The point in plain numbers. The type is that of one matrix; the caller knows the manifold. */
export function plain({ base, view }: Domain<View>, X: Tall): HostMatrix {
  return mapView(view(X), (A: Matrix) => hostMatrix(copyOfRows(base, A as Tall))) as unknown as HostMatrix;
}

/** A preconditioner of views as one of points */
export const inView = ({ on, view, chart }: Domain<View>, precondition: Precondition): Precondition => {
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
