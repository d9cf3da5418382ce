/** A run on a manifold that is bound to an engine: rounds of a solver, projection, certificate, result. */

import { ignoredBlocks } from "../check/ignored-parts.js";
import type { Place } from "../contracts/manifold.js";
import type { State } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import { descend } from "./descend.js";
import { drain } from "./drain.js";
import { importFor } from "./import-for.js";
import type { Imports } from "./imports.js";
import { newRun } from "./new-run.js";
import type { StiefelOptions } from "./options.js";
import { resultOf } from "./outcome.js";
import type { Parts } from "./parts.js";
import { quotientIfInvariant } from "./quotient.js";
import type { Run, Spent } from "./run.js";
import type { Solving } from "./solving.js";

/** The checks before the run, then its steps to the end, compared with f on the way. The options are checked before. */
export async function checkAndSolve(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions,
  { check = {}, onState, imports }: Solving,
  spent: Spent,
): Promise<Result> {
  const isChecked = check.gradient || (check.forms && f.quadratic !== undefined);
  const [imported, checks] = await Promise.all([
    imports ?? importFor(parts, f, o, place.bound.on),
    isChecked ? import("./gradient-check.js") : undefined,
  ]);
  const run = newRun(imported.term, place, f, o, spent);
  const along = await checks?.checkStart(run, parts.solvers, check);
  const result = await drain(steps(run, imported), undefined, (s) => {
    onState?.(s);
    return along?.afterState();
  });
  await along?.atEnd(result);
  return Object.assign(result, { evaluations: { ...run.evaluations } });
}

/**
 * f → solver → projection → certificate, as a generator of states; f takes points of the algebra. A point is called converged only if its
 * projection is stationary. Where the certificate shows a saddle, another round begins below it; where the manifold has several components,
 * another one in each that contains a reflection of the answer.
 */
export function* steps(run: Run, imports: Imports): Generator<State, Result, void> {
  const { quotient } = run.on.traits;
  if (quotient) run.on = quotientIfInvariant(run, quotient);
  let descent = yield* descend(run, imports);
  for (const again of imports.again) descent = yield* again(run, imports, descent);
  const { end, outcome } = descent;
  const seconds = run.elapsed() - run.certifying.seconds;
  for (const name of run.silent.length > 0 ? ignoredBlocks(run.bound, run.F, run.silent, run.seed) : []) {
    run.notes.push(`f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`);
  }
  const result = resultOf(run, end, outcome, seconds);
  run.o.events?.end?.(result);
  return result;
}
