/** The library's manifolds by the names of the page. */
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

/** The manifolds by name. Points of several matrices have the type of one matrix here: only their f reads them. */
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

/** Whether the minimum over orthonormal columns is the minimum on this manifold too */
export const sameOptimum = (on: string): boolean => ["stiefel", "grassmann", "sphere"].includes(on);

export function manifoldOf(on: string, n: number, p: number): Manifold {
  if (!Object.hasOwn(manifolds, on)) {
    throw new RangeError(`on is '${on}'; it must be one of ${places.map(({ name }) => name).join(", ")}.`);
  }
  return manifolds[on]!(n, p);
}

/** The solvers that are not defined on a manifold, each with the library's sentence */
export function refusalsOn(on: string): Record<string, string> {
  const E = jsEngine();
  const bound = manifoldOf(on, 4, 2).bind(E);
  const sentences: Record<string, string> = {};
  for (const solver of Object.keys(solvers) as SolverName[]) {
    try {
      requireSolverOn(solvers, { solver }, bound.on);
    } catch (error) {
      sentences[solver] = (error as Error).message;
    }
  }
  E.dispose();
  return sentences;
}
