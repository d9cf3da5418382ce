/** Orthonormal columns: what `minimize` does, with n and p in the place of a manifold. */
import type { Manifold } from "./constraints/manifold.js";
import { stiefel } from "./constraints/manifolds.js";
import { requireMemory } from "./memory/require.js";
import { minimize, solveOn, solverParts } from "./minimize.js";
import type { UserObjective } from "./objective/objective.js";
import { nothingSpent, type Spent } from "./run/context.js";
import { checkOptions, type MinimizeOptions, type StiefelOptions } from "./run/options.js";
import type { Result } from "./run/result.js";
import { solvers } from "./solvers/catalog.js";
import type { Engine, Objective, State } from "./types.js";

export type { Spent } from "./run/context.js";
export { drain } from "./run/drain.js";

/**
 * f → solver → projection → certificate, as a generator of states: step it, or drain it with `minimizeStiefel`. A point is called
 * converged only if its projection is stationary; where the certificate shows a saddle, another round begins below it.
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

/**
 * Minimises f over n×p matrices with orthonormal columns. `f` is {tape} for automatic derivatives, {f, grad} or {fg}, with hvp where
 * you have it, or a function of the engine that makes such an object. A gradient that does not belong to f is a `GradientError`, a
 * declared form that does not a `FormError`, a run that memory cannot hold a `MemoryError`. Lets the event loop run every few
 * milliseconds, so that a signal can stop it. Without `engine` it opens one and closes it when it ends; matrices that f made on it are
 * gone then, the result is not.
 */
export async function minimizeStiefel(
  f: UserObjective | ((E: Engine) => UserObjective),
  o: MinimizeOptions,
): Promise<Result> {
  const on = [o, o?.on].find((given) => "bind" in Object(given));
  if (on) {
    const { text } = on as unknown as Manifold;
    throw new RangeError(
      `minimizeStiefel: on is the manifold ${text}; call minimize(f, { on }), which takes manifolds.`,
    );
  }
  const { n, p, on: events, ...options } = o ?? ({} as MinimizeOptions);
  checkOptions(solvers, n, p, { ...options, on: events });
  return minimize(f, { ...options, on: stiefel(n, p), events });
}
