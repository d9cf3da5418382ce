/** The straight line: your f → objective → solver → states → stop → projection → certificate → result. */
import { certify } from "./certify.js";
import { requireGradient } from "./check/before-run.js";
import { requireForms } from "./check/forms.js";
import { ignoredBlocks } from "./check/ignored-blocks.js";
import { type Bound, type Plain, requireManifold, type View } from "./constraints/manifold.js";
import { withEngine } from "./engines/open.js";
import { requireMemory } from "./memory/require.js";
import { digits } from "./numbers.js";
import { counted, objectiveOn, type UserObjective } from "./objective/objective.js";
import { newRun, nothingSpent, type Spent, startOf } from "./run/context.js";
import { drain } from "./run/drain.js";
import {
  checkRunOptions,
  type MinimizeOnOptions,
  requireFeasible,
  requireSolverOn,
  type StiefelOptions,
} from "./run/options.js";
import { certifyOptions, resultOf } from "./run/outcome.js";
import type { Result } from "./run/result.js";
import { INFEASIBLE, round } from "./run/round.js";
import { leaveSaddle } from "./run/saddle.js";
import { formParts, solverPartsOn } from "./solvers/need.js";
import type { Engine, Objective, State, Tall } from "./types.js";

const MAX_SADDLES = 5;

/** A manifold on an engine, and in words */
interface Place {
  readonly bound: Bound<View>;
  readonly text: string;
}

/**
 * f → solver → projection → certificate, as a generator of states. A point is called converged only if its projection is stationary;
 * where the certificate shows a saddle, another round begins below it. f is one of points of the algebra.
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
  for (; ; run.saddles++) {
    let end = yield* round(run, o.solver ?? "expen");
    run.done += end.state.k;
    if (o.finish === "newton" && end.reason.kind === "gradient" && end.before <= INFEASIBLE) {
      end = yield* round(run, "expen-newton", true);
      run.done += end.state.k;
    }
    const seconds = run.elapsed() - run.certifying.seconds;
    const said = E.ranks?.traffic.reductions ?? 0;
    const outcome = certify(E, run.f, run.X, certifyOptions(run, end));
    run.certifying.reductions += (E.ranks?.traffic.reductions ?? 0) - said;
    run.certifying.seconds += outcome.certificate.seconds;
    const { escape: direction, measures } = outcome;
    const again = end.reason.converged && run.saddles < MAX_SADDLES;
    const left = direction && again && leaveSaddle(run, direction, measures.fval);
    if (!left) {
      for (const name of ignoredBlocks(place.bound, run.F, run.silent, run.seed)) {
        run.notes.push(`f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`);
      }
      const result = resultOf(run, end, outcome, seconds);
      o.on?.end?.(result);
      return result;
    }
    const curvature = outcome.certificate.curvature!.lowest;
    o.on?.saddle?.({ fval: measures.fval, curvature, iterations: run.done });
    run.notes.push(`left a saddle at f = ${digits(measures.fval, 9)} along a direction of negative curvature`);
  }
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
  const { on, events, engine, check = true, start, precondition, ...rest } = o ?? ({} as MinimizeOnOptions<P>);
  requireManifold("on", on);
  const spent = nothingSpent();
  const options = { ...rest, on: events, start, precondition } as unknown as StiefelOptions;
  checkRunOptions(options);
  const notes: string[] = [];
  // a tape runs on a device; a function may be written in loops over the numbers of X
  const size = typeof f !== "function" && f?.tape ? { n: on.n, p: on.p } : { n: 0, p: 0 };
  const solve = async (base: Engine): Promise<Result<Plain<P>>> => {
    requireMemory(on.n, on.p, solverPartsOn(on.shapes, options), base);
    const given = typeof f === "function" ? f(base) : f;
    const bound = on.bind(base);
    requireSolverOn(options, bound.on);
    const complete = objectiveOn(bound, given);
    if (check && (!given.tape || given.quadratic)) {
      const X = startOf(bound, options, []);
      if (!options.start) spent.start = X;
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
