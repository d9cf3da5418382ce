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
import type { Spent } from "./run.js";
import { evaluatorOn } from "./run-evaluator.js";
import { requireFeasible, staysOnManifold } from "./solver-fit.js";
import type { Solving } from "./solving.js";
import { startOf } from "./start.js";

/**
 * The checks before the run, then its steps to the end. The run begins with the evaluations of the checks. The options are checked before.
 */
export async function checkAndSolve(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions,
  { check = {}, onState, imports }: Solving,
  spent: Spent,
): Promise<Result> {
  const { gradient, forms, finite, without = "check: false" } = check;
  if (!(gradient || (forms && f.quadratic)))
    return drain(iterate(parts, place, f, o, spent, imports), undefined, onState);
  const { bound } = place;
  const notes: string[] = [];
  const X = startOf(bound, o, notes);
  const [{ checkAtStart, stepCheck }, { stepComparison }] = await Promise.all([
    import("./gradient-check.js"),
    import("../check/step-comparison.js"),
  ]);
  const comparison = gradient ? stepComparison(bound.E, bound.on) : undefined;
  const F = evaluatorOn(bound, f, spent.evaluations, comparison);
  spent.start = { X, notes };
  spent.evaluator = F;
  const target = { bound, F, seed: o.seed ?? 1, without };
  const how = { full: gradient === "full", stays: staysOnManifold(parts.solvers, o) };
  const atStart = comparison && (await checkAtStart(target, comparison, X, how));
  if (atStart) spent.gradient = atStart.result;
  const notFinite = finite && spent.gradient?.notFinite;
  if (notFinite) throw new RangeError(`${notFinite} (${without} runs without this check).`);
  if (forms) (await import("../check/forms.js")).requireForms(bound.E, F, X, without);
  const along = comparison && atStart && !atStart.result.alongOnly && stepCheck(target, comparison, atStart.isCompared);
  const result = await drain(iterate(parts, place, f, o, spent, imports), undefined, (s) => {
    onState?.(s);
    return along ? along.afterState() : undefined;
  });
  if (along) await along.atEnd(result);
  return Object.assign(result, { evaluations: { ...spent.evaluations } });
}

/**
 * f → solver → projection → certificate, as a generator of states; f takes points of the algebra. A point is called converged only if its
 * projection is stationary. Where the certificate shows a saddle, another round begins below it; where the manifold has several components,
 * another one in each that contains a reflection of the answer. The promise is kept when the modules of the run are imported.
 */
export async function iterate(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions,
  spent: Spent,
  imports?: Imports,
): Promise<Generator<State, Result, void>> {
  return steps(parts, imports ?? (await importFor(parts, f, o, place.bound.on)), place, f, o, spent);
}

function* steps(
  parts: Parts,
  imports: Imports,
  place: Place,
  f: Objective,
  o: StiefelOptions,
  spent: Spent,
): Generator<State, Result, void> {
  const { alongOnly } = spent.gradient ?? {};
  if (alongOnly) requireFeasible(parts.solvers, o, alongOnly);
  // a proof by convexity takes ∇f in all of ℝⁿˣᵖ
  const run = newRun(imports.term, place, alongOnly ? { ...f, convex: false } : f, o, spent);
  if (alongOnly) run.notes.push(`${alongOnly}; the run stays on the manifold`);
  let descent = yield* descend(run, imports);
  for (const again of imports.again) descent = yield* again(run, imports, descent);
  const { end, outcome } = descent;
  const seconds = run.elapsed() - run.certifying.seconds;
  const { silent } = run.F;
  for (const name of silent.length > 0 ? ignoredBlocks(place.bound, run.F, silent, run.seed) : []) {
    run.notes.push(`f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`);
  }
  const result = resultOf(run, end, outcome, seconds);
  o.events?.end?.(result);
  return result;
}
