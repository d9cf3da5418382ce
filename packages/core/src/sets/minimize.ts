/** `minimize` with `subjectTo`: which method, from how many starts */

import { described } from "@expen/linalg";
import type { Place } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import type { StiefelOptions, SubjectOptions } from "../run/options.js";
import type { Parts } from "../run/parts.js";
import { minimizeGeneral } from "./general.js";
import { limitsOf } from "./nonnegative/limits.js";
import { minimizeNonnegative } from "./nonnegative/minimize.js";
import { permutationMethod } from "./permutations/minimize.js";
import { type Driver, type Setup, setUp, type Work } from "./setup.js";
import type { Subject } from "./subject.js";

/** max(g, |h|) and |min(−g, λ)| that a run is to reach, where the user sets none */
const CONSTRAINT_TOLERANCE = 1e-6;

/** Starts for permutations, where a relaxation ends in one of many local minima */
const PERMUTATION_STARTS = 20;

/** Kicks of the best permutation for each start, where f is not quadratic */
const KICKS = 2;

/** Options of other solvers, which have no meaning beside constraints */
const OTHERS = ["nonsmooth", "precondition", "finish", "beta", "rule", "variant", "retraction"] as const;

export async function minimizeSubjectTo(
  driver: Driver,
  parts: Parts,
  place: Place,
  f: Objective,
  options: StiefelOptions & SubjectOptions,
  work: Work,
): Promise<Result> {
  const {
    subjectTo: own = [],
    constraintTolerance = CONSTRAINT_TOLERANCE,
    starts: most,
    exchange = "auto",
    ...o
  } = options;
  const { on, bound } = place;
  const subjectTo = [...((on.subjectTo as readonly Subject[] | undefined) ?? []), ...own];
  requireOptions(subjectTo, o, driver.solver);
  const { shape } = bound.on;
  const moves = exchange === true ? "auto" : exchange;
  const isSpecial = isNonnegativeStiefel(place, subjectTo);
  const isSquare = isSpecial && shape.n === shape.p;
  const starts = most ?? (isSquare ? PERMUTATION_STARTS : 1);
  const permutations = isSquare ? permutationMethod(f, moves) : undefined;
  const method = (setup: Setup): Promise<Result> =>
    permutations
      ? permutations.run(setup)
      : isSpecial
        ? minimizeNonnegative(setup, f, moves)
        : minimizeGeneral(setup, constraintTolerance);
  let best: Result | undefined;
  let last: Setup | undefined;
  for (let k = 0; k < starts; k++) {
    // the start of the user is that of the first run
    const from = k === 0 ? o : { ...o, start: undefined, seed: (o.seed ?? 1) + k };
    const setup = setUp(
      driver,
      parts,
      place,
      f,
      subjectTo,
      from as StiefelOptions,
      k === 0 ? work : { ...work, check: {} },
    );
    last = setup;
    const result = await method(setup);
    best = better(best, result, constraintTolerance);
    if (o.signal?.aborted || best.certificate.level === "global" || limitsOf(o, work.work)()) break;
  }
  const result = permutations && starts > 1 ? permutations.improve(last!, best!, KICKS * starts) : best!;
  // of all starts
  result.evaluations = { ...work.work.evaluations };
  result.evaluations.f -= result.certificate.evaluations.f;
  result.evaluations.grad -= result.certificate.evaluations.grad;
  result.run.why = `subjectTo: ${subjectTo.map(({ text }) => text).join(", ")}`;
  if (o.optimum !== undefined) result.gap = result.fval - o.optimum;
  o.events?.end?.(result);
  return result;
}

/** X ≥ 0 with orthonormal columns, and nothing else */
function isNonnegativeStiefel({ bound }: Place, subjects: readonly Subject[]): boolean {
  const [only, ...others] = subjects;
  if (!only || others.length > 0 || only.kind !== "nonnegative") return false;
  const isWhole = !("g" in only) && only.part === undefined && only.columns === undefined;
  return isWhole && bound.on.traits.orthonormal && bound.on.name !== "sphere";
}

/** The feasible one with the lower f, or the less infeasible one */
function better(a: Result | undefined, b: Result, tolerance: number): Result {
  if (!a) return b;
  const [u, v] = [a.violation!, b.violation!];
  if (Math.max(u, v) > tolerance) return u <= v ? a : b;
  return a.fval <= b.fval ? a : b;
}

function requireOptions(subjectTo: readonly Subject[], o: StiefelOptions, usual: string): void {
  if (subjectTo.length === 0) throw new RangeError("subjectTo: it is empty; leave it out, or give constraints.");
  for (const [i, subject] of subjectTo.entries()) {
    if (typeof subject === "object" && subject !== null && "kind" in subject && "text" in subject) continue;
    throw new TypeError(
      `subjectTo: entry ${i} is ${described(subject)}; give atMost(g), equal(h), bounds(lower, upper) or nonnegative().`,
    );
  }
  if (o.solver !== undefined && o.solver !== usual) {
    throw new RangeError(
      `subjectTo: the solver is '${o.solver}'; constraints beside the manifold have a method of their own, leave it out.`,
    );
  }
  const other = OTHERS.find((name) => o[name] !== undefined);
  if (other) throw new RangeError(`subjectTo: ${other} has no meaning beside it; leave it out.`);
}
