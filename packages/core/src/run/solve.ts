/** A run on a manifold that is bound to an engine: rounds of a solver, projection, certificate, result. */

import { ignoredBlocks } from "../check/ignored-parts.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { State } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import { searchComponents } from "./components.js";
import { descend } from "./descend.js";
import { checkRunOptions, requireFeasible, requireSolverOn, type StiefelOptions } from "./options.js";
import { resultOf } from "./outcome.js";
import type { Parts } from "./parts.js";
import { newRun, nothingSpent, type Spent } from "./run.js";

/** A manifold on an engine, and in words */
export interface Place {
  readonly bound: Domain<View>;
  readonly text: string;
}

/** Checks the options and begins `solve`: step the generator, or `drain` it. */
export function solveOn(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions = {},
  spent: Spent = nothingSpent(),
): Generator<State, Result, void> {
  checkRunOptions(parts.solvers, o);
  requireSolverOn(parts.solvers, o, place.bound.on);
  return solve(parts, place, f, o, spent);
}

/**
 * f → solver → projection → certificate, as a generator of states; f takes points of the algebra. A point is called converged only if its
 * projection is stationary. Where the certificate shows a saddle, another round begins below it; where the manifold has several components,
 * another one in each that contains a reflection of the answer.
 */
export function* solve(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions,
  spent: Spent,
): Generator<State, Result, void> {
  const { alongOnly } = spent.gradient ?? {};
  if (alongOnly) requireFeasible(parts.solvers, o, alongOnly);
  // a proof by convexity takes ∇f in all of ℝⁿˣᵖ
  const run = newRun(parts, place, alongOnly ? { ...f, convex: false } : f, o, spent);
  if (alongOnly) run.notes.push(`${alongOnly}; the run stays on the manifold`);
  const { end, outcome } = yield* searchComponents(run, yield* descend(run));
  const seconds = run.elapsed() - run.certifying.seconds;
  for (const name of ignoredBlocks(place.bound, run.F, run.F.silent, run.seed)) {
    run.notes.push(`f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`);
  }
  const result = resultOf(run, end, outcome, seconds);
  o.events?.end?.(result);
  return result;
}
