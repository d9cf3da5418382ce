/** A place by name as a manifold of the library. */
import {
  complexStiefel,
  constantTridiagonal,
  euclidean,
  generalizedStiefel,
  grassmann,
  type Manifold,
  oblique,
  product,
  type SolverName,
  specialOrthogonal,
  sphere,
  stiefel,
} from "expen";
import { jsEngine } from "expen/engines";
import { requireSolverOn, solvers } from "expen/methods";
import { places } from "../places.js";

/** Of all points, those of several matrices too: nobody but their f looks inside */
const manifolds: Record<string, (n: number, p: number) => Manifold> = {
  stiefel,
  grassmann,
  sphere: (n) => sphere(n),
  oblique,
  "special-orthogonal": (n) => specialOrthogonal(n),
  // the mass matrix of linear finite elements, condition 3
  "generalized-stiefel": (n, p) => generalizedStiefel(constantTridiagonal(n, 1 / 6, 4 / 6, 1 / 6), p),
  euclidean,
  "complex-stiefel": (n, p) => complexStiefel(n, p) as unknown as Manifold,
  pair: (n, p) => product({ U: stiefel(n, p), V: stiefel(n, p) }) as unknown as Manifold,
};

/** Where the optimum over orthonormal columns is that of the place */
export const sameOptimum = (on: string): boolean => ["stiefel", "grassmann", "sphere"].includes(on);

export function manifoldOf(on: string, n: number, p: number): Manifold {
  if (!Object.hasOwn(manifolds, on)) {
    throw new RangeError(`on is '${on}'; it must be one of ${places.map(({ name }) => name).join(", ")}.`);
  }
  return manifolds[on]!(n, p);
}

/** Of the solvers that have no meaning on a place: what the library says */
export function refusalsOn(on: string): Record<string, string> {
  const E = jsEngine();
  const bound = manifoldOf(on, 4, 2).bind(E);
  const said: Record<string, string> = {};
  for (const solver of Object.keys(solvers) as SolverName[]) {
    try {
      requireSolverOn(solvers, { solver }, bound.on);
    } catch (error) {
      said[solver] = (error as Error).message;
    }
  }
  E.dispose();
  return said;
}
