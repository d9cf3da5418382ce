/** The straight line: your f → objective → solver → states → stop → projection → certificate → result. */
import { requireGradient } from "./check/before-run.js";
import { requireForms } from "./check/forms.js";
import { ignoredBlocks } from "./check/ignored-blocks.js";
import { type Bound, type Plain, requireManifold, type View } from "./constraints/manifold.js";
import { withEngine } from "./engines/open.js";
import { requireMemory } from "./memory/require.js";
import { madeBy } from "./objective/factory.js";
import { counted, objectiveOn, type UserObjective } from "./objective/objective.js";
import { shown } from "./options.js";
import { searchComponents } from "./run/components.js";
import { newRun, nothingSpent, type Spent, startOf } from "./run/context.js";
import { descend } from "./run/descend.js";
import { drain } from "./run/drain.js";
import {
  checkMinimizeOptions,
  type MinimizeOnOptions,
  requireFeasible,
  requireSolverOn,
  type StiefelOptions,
} from "./run/options.js";
import { resultOf } from "./run/outcome.js";
import type { Result } from "./run/result.js";
import { formParts, solverPartsOn } from "./solvers/need.js";
import type { Engine, Objective, State, Tall } from "./types.js";

/** A manifold on an engine, and in words */
interface Place {
  readonly bound: Bound<View>;
  readonly text: string;
}

/**
 * f → solver → projection → certificate, as a generator of states. A point is called converged only if its projection is stationary;
 * where the certificate shows a saddle, another round begins below it; where the manifold has several components, another one in each that
 * a reflection of the answer lies in. f is one of points of the algebra.
 */
export function* solveOn(
  place: Place,
  f: Objective,
  o: StiefelOptions = {},
  spent: Spent = nothingSpent(),
): Generator<State, Result, void> {
  const { E, on } = place.bound;
  requireSolverOn(o, on);
  requireMemory(f.n, f.p, formParts(E, f, on, o), E);
  const { alongOnly } = spent.gradient ?? {};
  if (alongOnly) requireFeasible(o, alongOnly);
  // a proof by convexity takes ∇f in all of ℝⁿˣᵖ
  const run = newRun(place, alongOnly ? { ...f, convex: false } : f, o, spent);
  if (alongOnly) run.notes.push(`${alongOnly}; the run stays on the manifold`);
  const { end, outcome } = yield* searchComponents(run, yield* descend(run));
  const seconds = run.elapsed() - run.certifying.seconds;
  for (const name of ignoredBlocks(place.bound, run.F, run.silent, run.seed)) {
    run.notes.push(`f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`);
  }
  const result = resultOf(run, end, outcome, seconds);
  o.on?.end?.(result);
  return result;
}

/**
 * Minimises f over the manifold `on`: stiefel(n, p), generalizedStiefel(B, p), complexStiefel(n, p), product({ U: …, V: … }), …
 * f gets and fills points as its manifold shows them: a matrix, { re, im }, or an object of these by name. For all else see
 * `minimizeStiefel`, which is this with stiefel(n, p).
 */
export async function minimize<P extends View = Tall>(
  f: UserObjective<P> | ((E: Engine) => UserObjective<P>),
  o: MinimizeOnOptions<P>,
): Promise<Result<Plain<P>>> {
  requirePlace(o);
  checkMinimizeOptions(o);
  const { on, events, engine, check = true, start, precondition, ...rest } = o;
  const spent = nothingSpent();
  const options = { ...rest, on: events, start, precondition } as unknown as StiefelOptions;
  const notes: string[] = [];
  // a tape runs on a device; a function may be written in loops over the numbers of X
  const size = typeof f !== "function" && f?.tape ? { n: on.n, p: on.p } : { n: 0, p: 0 };
  const solve = async (base: Engine): Promise<Result<Plain<P>>> => {
    requireMemory(on.n, on.p, solverPartsOn(on.shapes, options), base);
    const given = typeof f === "function" ? madeBy(f, base) : f;
    const bound = on.bind(base);
    requireSolverOn(options, bound.on);
    const complete = objectiveOn(bound, given);
    if (check && (!given.tape || given.quadratic)) {
      const X = startOf(bound, options, []);
      if (start === undefined) spent.start = X;
      const seen = counted(complete, spent.evaluations);
      if (!given.tape) spent.gradient = requireGradient(bound.E, seen, X, options.seed ?? 1, undefined, bound.on);
      if (given.quadratic) requireForms(bound.E, seen, X);
    }
    const result = await drain(solveOn({ bound, text: on.text }, complete, options, spent));
    result.notes.unshift(...notes);
    return result as unknown as Result<Plain<P>>;
  };
  return withEngine(engine, solve, { size, notes });
}

/** Throws a sentence where options do not say where X lives, as those of `minimizeStiefel` do with n and p. */
function requirePlace(o: unknown): void {
  if ("bind" in Object(o)) {
    throw new RangeError(`minimize: the options are the manifold ${(o as { text: string }).text}; give { on }.`);
  }
  const { on, n, p } = Object(o) as Record<string, unknown>;
  if (n === undefined && p === undefined) {
    requireManifold("on", on);
    return;
  }
  const sizes = `${shown(n)}, ${shown(p)}`;
  throw new RangeError(
    `minimize: the options have n and p (${sizes}); give on: stiefel(n, p) in their place, or call minimizeStiefel.`,
  );
}
