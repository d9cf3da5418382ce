/** Orthonormal columns: what `minimize` does, state by state. */

import { checkRunOptions, type Objective, type Result, type State, type StiefelOptions, stiefel } from "@expen/core";
import type { Engine } from "@expen/linalg";
import { requireMemory } from "@expen/linalg/memory";
import { solveOn, solverParts } from "./minimize.js";
import { solvers } from "./solvers.js";

/**
 * f → solver → projection → certificate, as a generator of states: step it, or `drain` it. A point is called converged
 * only if its projection is stationary; where the certificate shows a saddle, another round begins below it. The promise is kept when the
 * modules of the run are imported.
 */
export async function solveStiefel(
  E: Engine,
  f: Objective,
  o: StiefelOptions = {},
): Promise<Generator<State, Result, void>> {
  // before the manifold takes memory of the engine
  checkRunOptions(solvers, o);
  requireMemory(f.n, f.p, solverParts(f.n, f.p, o), E);
  const on = stiefel(f.n, f.p);
  return solveOn({ on, bound: on.bind(E) }, f, o);
}
