/** A run on a manifold that is bound to an engine: rounds of a solver, projection, certificate, result. */

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
  const run = newRun(imported, place, f, o, spent);
  const along = await checks?.checkStart(run, parts.solvers, imported, check);
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
  if (imports.quotient) run.on = imports.quotient(run);
  let descent = yield* descend(run, imports);
  for (const again of imports.again) descent = yield* again(run, imports, descent);
  const { end, outcome } = descent;
  const seconds = run.elapsed() - run.certifying.seconds;
  const { bound, F, silent, notes, seed } = run;
  if (imports.ignored && silent.length > 0) notes.push(...imports.ignored.ignoredNotes(bound, F, silent, seed));
  const result = resultOf(run, end, outcome, seconds);
  run.o.events?.end?.(result);
  return result;
}
