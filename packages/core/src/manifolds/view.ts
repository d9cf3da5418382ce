/** Points as f sees them, one matrix or several by name */

import { type HostMatrix, hostMatrix, type Matrix, type Tall } from "@expen/linalg";
import { copyOfRows } from "@expen/linalg/engine";
import type { Domain, View } from "../contracts/manifold.js";

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
