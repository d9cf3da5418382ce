/** `minimize` for a composition of engine, solvers and proofs: checks options, opens an engine, binds the manifold and f to it, solves. */

import type { Engine, Tall } from "@expen/linalg";
import { anything, type Schema } from "@expen/linalg";
import { onEngine } from "@expen/linalg/engine";
import type { Place, Plain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import type { Solvers } from "../contracts/solver.js";
import { requirePlace } from "../manifolds/required-manifold.js";
import { callFactory } from "../objective/factory.js";
import { isFormula, objectiveOn } from "../objective/objective.js";
import { checkRunOptions, requireRoom, subjectSchema, takeDefault } from "./check-options.js";
import { drain } from "./drain.js";
import { importFor } from "./import-for.js";
import { evaluatorOn, newRun, nothingSpent } from "./new-run.js";
import type { MinimizeOptions, StiefelOptions, SubjectOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";
import type { Minimizer, Parts, UserF } from "./parts.js";
import type { Spent } from "./run.js";
import { checkAndSolve, steps } from "./solve.js";
import { requireSolverOn } from "./solver-fit.js";
import type { Solving } from "./solving.js";

/** The driver with an engine to open, solvers and provers. */
/* @__NO_SIDE_EFFECTS__ */ export function minimizer<S extends Solvers>(parts: Parts<S>): Minimizer<S> {
  return {
    minimize: (f, o) => minimize(parts, f, o),
    async solve(place, f, o = {}, solving = {}) {
      requireRun(parts, place, o, subjectSchema);
      return solveIn(parts, place, f, o, solving, nothingSpent());
    },
    async solveOn(place, f, o = {}) {
      const spent = nothingSpent();
      requireRun(parts, place, o);
      const imports = await importFor(parts, f, o, place.bound.on);
      return steps(newRun(imports, place, f, o, spent), imports);
    },
  };
}

/** Throws a sentence where an option is wrong, memory is short, or the solver has no meaning on the manifold. */
function requireRun({ solvers }: Parts, { on, bound }: Place, o: StiefelOptions, more: Schema = {}): void {
  checkRunOptions(solvers, o, more);
  requireRoom(solvers, on, o, bound.base);
  if (!takeDefault(o)) requireSolverOn(solvers, o, bound.on);
}

async function minimize<P extends View = Tall>(
  parts: Parts,
  f: UserF<P>,
  o: MinimizeOptions<P>,
): Promise<Result<Plain<P>>> {
  if (!haveManifold(o)) requirePlace(o);
  checkRunOptions(parts.solvers, o as unknown as StiefelOptions, { on: anything, ...subjectSchema });
  const { on, engine, check = true, ...rest } = o;
  // start and preconditioner speak of views of points; the run translates them
  const options = rest as unknown as StiefelOptions;
  const spent = nothingSpent();
  const notes: string[] = [];
  const run = async (base: Engine): Promise<Result<Plain<P>>> => {
    requireRoom(parts.solvers, on, options, base);
    const user = typeof f === "function" ? callFactory(f, base) : f;
    const bound = on.bind(base);
    if (!takeDefault(options)) requireSolverOn(parts.solvers, options, bound.on);
    const objective = objectiveOn(bound, user);
    // a formula's gradient is derived by a program
    const isDerived = isFormula(user);
    const { quadratic } = isDerived ? user.declared : user;
    const solving = check ? { check: { gradient: !isDerived && check, forms: quadratic !== undefined } } : {};
    const place = { bound, on } as unknown as Place;
    const result = await solveIn(parts, place, objective, options, solving, spent);
    result.notes.unshift(...notes);
    return result as unknown as Result<Plain<P>>;
  };
  // a formula runs on a device; a function may be written in loops over the numbers of X
  const size = isFormula(f) ? { n: on.n, p: on.p } : { n: 0, p: 0 };
  return onEngine(engine, (name) => parts.open({ size, notes }, name), run);
}

/** Do the options have a manifold, and no sizes beside it? */
const haveManifold = (o: { on?: unknown } | undefined): boolean =>
  typeof o?.on === "object" && "bind" in Object(o.on) && !["bind", "n", "p"].some((name) => name in o);

/** The run, of constraints beside the manifold by the methods for these, which are imported then */
async function solveIn(
  parts: Parts,
  place: Place,
  f: Objective,
  o: StiefelOptions & SubjectOptions,
  solving: Solving,
  work: Spent,
): Promise<Result> {
  if (!o.subjectTo && !place.on.subjectTo) return checkAndSolve(parts, place, f, o, solving, work);
  const { minimizeSubjectTo } = await import("../sets/minimize.js");
  // as arguments, since a bundle would otherwise split the files that every page loads
  const driver = { importFor, newRun, steps, drain, evaluatorOn, solver: DEFAULT_SOLVER };
  return minimizeSubjectTo(driver, parts, place, f, o, { ...solving, work });
}
