/**
 * Many problems of one shape in one call: the manifold is bound once, a formula is compiled once, and each problem has the result that
 * `minimize` gives for it alone.
 */

import { amount, anything, type Engine, func, type Tall } from "@expen/linalg";
import { onEngine } from "@expen/linalg/engine";
import type { Domain, Place, Plain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import type { BoundFormula, Formula, UserObjective } from "../contracts/user-objective.js";
import { requireManifold } from "../manifolds/required-manifold.js";
import { callFactory } from "../objective/factory.js";
import { isFormula, objectiveOn } from "../objective/objective.js";
import { checkRunOptions, requireRoom } from "./check-options.js";
import { pause } from "./drain.js";
import { importCertify } from "./import-for.js";
import { importForEach } from "./import-for-each.js";
import type { Certify } from "./imports.js";
import { directSolutions } from "./many-linear.js";
import { type Problem, type ProblemList, problemsOf } from "./many-problems.js";
import { type ManyResult, manyResult, type Solution } from "./many-result.js";
import { nothingSpent } from "./new-run.js";
import type { MinimizeOptions, StiefelOptions, SubjectOptions } from "./options.js";
import type { Parts } from "./parts.js";
import { checkAndSolve } from "./solve.js";
import { requireSolverOn } from "./solver-fit.js";

/** f of an item: a formula of X and the item, a function that makes the objective of item k on an engine, or one f from many starts */
export type ItemF<P extends View, T> =
  | UserObjective<P>
  | Formula
  | ((item: T, k: number, E: Engine) => UserObjective<P> | Formula);

/** The options of `minimize`, with the problems in one of `data`, `count` and `starts`. */
export interface ManyOptions<P extends View = Tall, T = unknown>
  extends Omit<MinimizeOptions<P>, keyof SubjectOptions>,
    ProblemList<P, T> {
  /** is told how many problems are done, a few times a second and at the end */
  progress?(o: { done: number; of: number }): void;
}

/** Time between pauses for the event loop, in milliseconds, as in a run by itself */
const SLICE = 25;

/** `minimizeMany` for a composition of engine, solvers and proofs */
export async function minimizeMany<T, P extends View = Tall>(
  parts: Parts,
  f: ItemF<P, T>,
  o: ManyOptions<P, T>,
): Promise<ManyResult<Plain<P>>> {
  const began = performance.now();
  checkManyOptions(parts, o);
  const problems = problemsOf(f, o);
  const of = problems.length;
  const solutions = new Map<number, Solution<Plain<P>> | Error>();
  await onEngine(
    o.engine,
    (name) => parts.open({ size: { n: 0, p: 0 }, notes: [] }, name),
    async (E) => {
      const solve = problemSolver(parts, f, o, E);
      for (let until = performance.now() + SLICE; solutions.size < of; ) {
        const problem = problems[solutions.size]!;
        solutions.set(problem.k, await solve(problem).catch((error) => error as Error));
        if (performance.now() < until) continue;
        o.progress?.({ done: solutions.size, of });
        await pause();
        until = performance.now() + SLICE;
      }
    },
  );
  o.progress?.({ done: of, of });
  return manyResult([...solutions.values()], began);
}

/** Throws a sentence about the first option that is wrong. */
function checkManyOptions<P extends View, T>(parts: Parts, o: ManyOptions<P, T>): void {
  requireManifold("minimizeMany: on", Object(o).on);
  const own = { on: anything, data: anything, count: amount, starts: anything, progress: func };
  checkRunOptions(parts.solvers, o as unknown as StiefelOptions, own);
}

/** Binds the manifold, and a formula, to the engine once; solves problems one after the other. */
export function problemSolver<P extends View, T>(
  parts: Parts,
  f: ItemF<P, T>,
  {
    on,
    engine: _,
    check = true,
    data: _data,
    count: _count,
    starts: _starts,
    progress: _progress,
    ...rest
  }: ManyOptions<P, T>,
  E: Engine,
): (problem: Problem<P, T>) => Promise<Solution<Plain<P>>> {
  const options = rest as unknown as StiefelOptions;
  requireRoom(parts.solvers, on, options, E);
  const bound = on.bind(E);
  requireSolverOn(parts.solvers, options, bound.on);
  const objectiveOf = objectivesOn(bound, f);
  const importsOf = importForEach(parts, options, bound.on);
  const place = { on, bound } as unknown as Place;
  const direct = directSolutions<P>(place.bound, on.text, options);
  let certify: Certify | undefined;
  return async (problem) => {
    const { objective, isDerived, isDeclared } = objectiveOf(problem);
    const formula = objective as BoundFormula;
    if (direct && formula.isLinear && !isDeclared) {
      certify ??= await importCertify(parts, objective);
      const solution = direct(formula, problem, certify);
      if (solution) return solution;
    }
    let first = Number.NaN;
    const solving = {
      imports: await importsOf(objective),
      ...(check && { check: { gradient: !isDerived && check, forms: isDeclared } }),
      onState({ f }: { f: number }) {
        if (Number.isNaN(first)) first = f;
      },
    };
    const own = { ...options, seed: problem.seed, start: problem.start } as StiefelOptions;
    const result = await checkAndSolve(parts, place, objective, own, solving, nothingSpent());
    return { result: result as unknown as Result<Plain<P>>, decrease: first - result.fval };
  };
}

interface ItemObjective {
  readonly objective: Objective;
  readonly isDerived: boolean;
  readonly isDeclared: boolean;
}

/** The objective of each problem: a formula is bound where an item has new shapes, an f without items once. */
function objectivesOn<P extends View, T>(bound: Domain<P>, f: ItemF<P, T>): (problem: Problem<P, T>) => ItemObjective {
  const of = (user: UserObjective<P> | Formula): ItemObjective => ({
    objective: objectiveOn(bound, user),
    isDerived: isFormula(user),
    isDeclared: (isFormula(user) ? user.declared : user).quadratic !== undefined,
  });
  if (typeof f === "function") return ({ item, k }) => of(callFactory((E: Engine) => f(item, k, E), bound.base));
  if (!isFormula(f) || !f.hasItem) {
    let one: ItemObjective | undefined;
    return () => (one ??= of(f));
  }
  const isDeclared = f.declared.quadratic !== undefined;
  let formula: BoundFormula | undefined;
  return ({ item }) => {
    if (!formula?.setItem?.(item)) formula = f.bind(bound as unknown as Domain<View>, item);
    return { objective: formula, isDerived: true, isDeclared };
  };
}
