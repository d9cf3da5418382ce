/** Orthonormal columns: what `minimize` does, state by state. */
import { stiefel } from "./constraints/manifolds.js";
import { requireMemory } from "./memory/require.js";
import { solveOn, solverParts } from "./minimize.js";
import { nothingSpent, type Spent } from "./run/context.js";
import { checkOptions, type StiefelOptions } from "./run/options.js";
import type { Result } from "./run/result.js";
import { solvers } from "./solvers/catalog.js";
import type { Engine, Objective, State } from "./types.js";

export type { Spent } from "./run/context.js";
export { drain } from "./run/drain.js";

/**
 * f → solver → projection → certificate, as a generator of states: step it, or `drain` it. A point is called converged
 * only if its projection is stationary; where the certificate shows a saddle, another round begins below it.
 */
export function* solveStiefel(
  E: Engine,
  f: Objective,
  o: StiefelOptions = {},
  spent: Spent = nothingSpent(),
): Generator<State, Result, void> {
  checkOptions(solvers, f.n, f.p, o);
  requireMemory(f.n, f.p, solverParts(f.n, f.p, o), E);
  const on = stiefel(f.n, f.p);
  return yield* solveOn({ bound: on.bind(E), text: on.text }, f, o, spent);
}
