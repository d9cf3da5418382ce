/** The straight line: your f → objective → solver → states → stop → projection → certificate → result. */

import type { Engine, Tall } from "@expen/linalg";
import { shown } from "@expen/linalg";
import { onEngine } from "@expen/linalg/engine";
import { requireMemory } from "@expen/linalg/memory";
import { type CertifyOptions, certify } from "../certify/certify.js";
import { requireGradient } from "../check/before-run.js";
import { requireForms } from "../check/forms.js";
import { ignoredBlocks } from "../check/ignored-parts.js";
import { type Domain, type Manifold, type Plain, requireManifold, type View } from "../contracts/manifold.js";
import type { Nonsmooth, Objective, State, Term } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import { madeBy } from "../objective/factory.js";
import { type Formula, isFormula } from "../objective/formula.js";
import { objectiveOn, type UserObjective } from "../objective/objective.js";
import { type ClosedForm, closedForm } from "./closed-form.js";
import { searchComponents } from "./components.js";
import { evaluatorOn, newRun, nothingSpent, type Spent, startOf } from "./context.js";
import { descend } from "./descend.js";
import { drain } from "./drain.js";
import { partsOfRunOn } from "./need.js";
import {
  checkMinimizeOptions,
  checkRunOptions,
  type MinimizeOptions,
  requireFeasible,
  requireSolverOn,
  type Solvers,
  type StiefelOptions,
} from "./options.js";
import { resultOf } from "./outcome.js";
import { type Parts, termOf } from "./parts.js";

/** A manifold on an engine, and in words */
export interface Place {
  readonly bound: Domain<View>;
  readonly text: string;
}

/** The comparisons with f before a run. Left out: none */
export interface StartCheck {
  /** of its gradient and its Hessian with differences */
  gradient?: boolean;
  /** of the quadratic form that it declares */
  forms?: boolean;
  /** whether an f that is not finite at the start is refused; left out, the run reports it */
  finite?: boolean;
  /** how to run without the check, in words, for its error sentences */
  without?: string;
}

/** How `solve` runs, beside the options of the run */
export interface Solving {
  check?: StartCheck;
  /** observes each state, whose X is a point of the algebra and no view */
  onState?(s: State): void;
}

/** What `certify` takes: a term beside f may be data */
type CertifyGiven = Omit<CertifyOptions, "nonsmooth"> & { nonsmooth?: Nonsmooth | Term | undefined };

/** The driver with an engine to open, solvers and provers: `minimize`, its steps, and what else needs them. */
export function minimizer<S extends Solvers>(parts: Parts<S>) {
  type Named = { solver?: (keyof S & string) | (string & {}) };
  return {
    minimize: <P extends View = Tall>(
      f: UserObjective<P> | Formula | ((E: Engine) => UserObjective<P> | Formula),
      o: MinimizeOptions<P> & Named,
    ): Promise<Result<Plain<P>>> => minimize(parts, f, o),

    solveOn: (place: Place, f: Objective, o?: StiefelOptions & Named, spent?: Spent): Generator<State, Result, void> =>
      solveOn(parts, place, f, o, spent),

    /** `minimize` for a complete f on an engine that is open */
    solve: async (
      { on, bound }: { on: Manifold<View>; bound: Domain<View> },
      f: Objective,
      o: StiefelOptions & Named = {},
      solving: Solving = {},
    ): Promise<Result> => {
      checkRunOptions(parts.solvers, o);
      requireMemory(on.n, on.p, partsOfRunOn(parts.solvers, on.shapes, o), bound.base);
      requireSolverOn(parts.solvers, o, bound.on);
      return checkAndSolve(parts, { bound, text: on.text }, f, o, solving, nothingSpent());
    },

    closedForm: (E: Engine, f: Objective, point: ClosedForm, o: StiefelOptions): Result | undefined =>
      closedForm(parts, E, f, point, o),

    certify: (E: Engine, f: Objective, X: Tall, options: CertifyGiven): ReturnType<typeof certify> => {
      const term = termOf(parts, options?.nonsmooth);
      return certify(E, f, X, term ? { ...options, nonsmooth: term } : (options as CertifyOptions), parts.provers);
    },
  };
}

/**
 * f → solver → projection → certificate, as a generator of states. A point is called converged only if its projection is stationary;
 * where the certificate shows a saddle, another round begins below it; where the manifold has several components, another one in each that
 * a reflection of the answer lies in. f is one of points of the algebra.
 */
function* solveOn(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions = {},
  spent: Spent = nothingSpent(),
): Generator<State, Result, void> {
  const { on } = place.bound;
  requireSolverOn(parts.solvers, o, on);
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

/**
 * Minimises f over the manifold `on`: stiefel(n, p), generalizedStiefel(B, p), complexStiefel(n, p), product({ U: …, V: … }), …
 * f gets and fills points as its manifold shows them: a matrix, { re, im }, or an object of these by name.
 *
 * `f` is {f, grad} or {fg}, with hvp where you have it, `formula((X) => …)` for automatic derivatives, or a function of the engine that
 * makes one of these. A gradient that does not belong to f is a `GradientError`, a declared form that does not a `FormError`, a run that
 * memory cannot hold a `MemoryError`. Lets the event loop run every few milliseconds, so that a signal can stop it. Without `engine` it
 * opens one and closes it when it ends; matrices that f made on it are gone then, the result is not.
 */
async function minimize<P extends View = Tall>(
  parts: Parts,
  f: UserObjective<P> | Formula | ((E: Engine) => UserObjective<P> | Formula),
  o: MinimizeOptions<P>,
): Promise<Result<Plain<P>>> {
  requirePlace(o);
  checkMinimizeOptions(parts.solvers, o);
  const { on, engine, check = true, start, precondition, ...rest } = o;
  const spent = nothingSpent();
  const options = { ...rest, start, precondition } as unknown as StiefelOptions;
  const notes: string[] = [];
  // a formula runs on a device; a function may be written in loops over the numbers of X
  const size = isFormula(f) ? { n: on.n, p: on.p } : { n: 0, p: 0 };
  const solve = async (base: Engine): Promise<Result<Plain<P>>> => {
    requireMemory(on.n, on.p, partsOfRunOn(parts.solvers, on.shapes, options), base);
    const given = typeof f === "function" ? madeBy(f, base) : f;
    const bound = on.bind(base);
    requireSolverOn(parts.solvers, options, bound.on);
    const complete = objectiveOn(bound, given);
    const derived = isFormula(given);
    const { quadratic } = derived ? given.declared : given;
    const compared = { gradient: !derived, forms: quadratic !== undefined };
    const result = await checkAndSolve(
      parts,
      { bound, text: on.text },
      complete,
      options,
      check ? { check: compared } : {},
      spent,
    );
    result.notes.unshift(...notes);
    return result as unknown as Result<Plain<P>>;
  };
  return onEngine(engine, () => parts.open({ size, notes }), solve);
}

/** The checks before the run, then its steps to the end. */
async function checkAndSolve(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions,
  { check = {}, onState }: Solving,
  spent: Spent,
): Promise<Result> {
  const { gradient, forms, finite, without } = check;
  if (gradient || (forms && f.quadratic)) {
    const { bound } = place;
    const notes: string[] = [];
    const X = startOf(bound, o, notes);
    const F = evaluatorOn(bound, f, spent.evaluations);
    spent.start = { X, notes };
    spent.evaluator = F;
    if (gradient) spent.gradient = requireGradient(bound.E, F, X, o.seed ?? 1, without, bound.on);
    const notFinite = finite && spent.gradient?.notFinite;
    if (notFinite) throw new RangeError(`${notFinite} (${without} runs without this check).`);
    if (forms) requireForms(bound.E, F, X, without);
  }
  return drain(solveOn(parts, place, f, o, spent), undefined, onState);
}

/** Throws a sentence where options do not say where X lives. */
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
  throw new RangeError(`minimize: the options have n and p (${sizes}); give on: stiefel(n, p) in their place.`);
}
