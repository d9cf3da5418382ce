/** A run with constraints in the driver: checks before it, f with its constraints as one objective, a method in the place of the solver */

import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import { requireGradient } from "../check/before-run.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Evaluator } from "../contracts/evaluator.js";
import type { Domain, Place, View } from "../contracts/manifold.js";
import type { Solver } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import type { SolverEntry } from "../contracts/solver.js";
import { pointOf } from "../manifolds/point.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";
import { noEvaluations } from "../objective/evaluator.js";
import { noteOf } from "../run/along-only.js";
import type { drain } from "../run/drain.js";
import type { importFor } from "../run/import-for.js";
import type { evaluatorOn, newRun } from "../run/new-run.js";
import type { StiefelOptions } from "../run/options.js";
import type { Parts } from "../run/parts.js";
import type { Spent } from "../run/run.js";
import type { steps } from "../run/solve.js";
import type { Solving } from "../run/solving.js";
import { randomPoint, startOf } from "../run/start.js";
import type { Block } from "./block.js";
import { blockOf } from "./blocks.js";
import { requireAdjoints } from "./check.js";
import { type Lagrangian, lagrangian } from "./lagrangian.js";
import { sizesOf } from "./sizes.js";
import type { Subject } from "./subject.js";

/** The work before and around a run */
export interface Work extends Solving {
  readonly work: Spent;
}

/** The steps of the driver around a method */
export interface Driver {
  readonly importFor: typeof importFor;
  readonly newRun: typeof newRun;
  readonly steps: typeof steps;
  readonly drain: typeof drain;
  readonly evaluatorOn: typeof evaluatorOn;
  /** the name of the default */
  readonly solver: string;
}

export interface Setup {
  readonly driver: Driver;
  readonly parts: Parts;
  readonly place: Place;
  readonly E: Engine;
  readonly on: Constraint;
  /** f with its calls counted */
  readonly F: Evaluator;
  readonly L: Lagrangian;
  readonly blocks: readonly Block[];
  readonly X: Tall;
  readonly notes: string[];
  /** the size of ∇f along the manifold at the start */
  readonly unit: number;
  /** norm of the gradient to reach */
  readonly tolerance: number;
  /** norm of the gradient that roundoff leaves */
  readonly floor: number;
  readonly work: Spent;
  readonly onState: Solving["onState"];
  readonly o: StiefelOptions;
}

/** Roundoff of a gradient, in its size at the start */
const ROUNDING = 1e-13;

export function setUp(
  driver: Driver,
  parts: Parts,
  outer: Place,
  f: Objective,
  subjects: readonly Subject[],
  o: StiefelOptions,
  { check, work, onState }: Work,
): Setup {
  const bound = withoutQuotient(outer.bound);
  const { E, on } = bound;
  const seed = o.seed ?? 1;
  const notes: string[] = [];
  const X = startOf(bound, o, notes);
  const F = driver.evaluatorOn(bound, f, work.evaluations);
  const blocks = subjects.map((subject) => {
    const block = blockOf(bound, subject);
    const sizes = sizesOf(bound, block, X, seed);
    return sizes ? blockOf(bound, subject, sizes) : block;
  });
  const { alongOnly } = check?.gradient ? requireGradient(E, F, X, seed, check.without, on) : {};
  if (alongOnly) notes.push(noteOf(alongOnly));
  if (check) requireAdjoints(bound, blocks, X, seed);
  const L = lagrangian(E, F, blocks);
  const unit = unitOf(bound, L, X, seed);
  // X is written by the run
  F.forget();
  const floor = ROUNDING * unit;
  const tolerance = Math.max(o.tol ?? DEFAULT_TOLERANCE * Math.min(1, unit), 10 * floor);
  return {
    driver,
    parts,
    place: { ...outer, bound },
    E,
    on,
    F,
    L,
    blocks,
    X,
    notes,
    unit,
    tolerance,
    floor,
    work,
    onState,
    o,
  };
}

/** The driver with `method` on L in the place of its solver; the result is that of L. */
export async function runInDriver(
  { driver, parts, place, L, X, notes, tolerance, work, onState, o }: Setup,
  method: (objective: Objective, X0: Tall) => Solver,
): Promise<Result> {
  const begin = (_E: Engine, objective: Objective, X0: Tall): Solver => method(objective, X0);
  const entry: SolverEntry = {
    title: "a method for constraints beside the manifold",
    schema: {},
    options: [],
    general: true,
    holds: { tall: 10, square: 36, pairs: 3, squaresPerPair: 2 },
    feasible: () => true,
    load: async () => begin,
    create: async (E, objective, X0) => begin(E, objective, X0),
  };
  // without proofs for XᵀX = I
  const { open } = parts;
  const composition: Parts = { open, solvers: { ...parts.solvers, [driver.solver]: entry } };
  // the evaluations of L are not those of f, which F counts
  const F = driver.evaluatorOn(place.bound, L, noEvaluations());
  // the end is told when the result is that of f
  const events = o.events && { ...o.events, end: undefined };
  const options = { ...o, events, tol: tolerance, certificate: "stationary" } as StiefelOptions;
  const imports = await driver.importFor(composition, L, options, place.bound.on);
  const run = driver.newRun(imports, place, L, options, work, { X, F, notes: [...notes] });
  return driver.drain(driver.steps(run, imports), undefined, onState);
}

/** The constraints are not those of a class of points: the quotient's own manifold is taken. */
function withoutQuotient(bound: Domain<View>): Domain<View> {
  if (bound.chart)
    throw new TypeError(`subjectTo: ${bound.on.name} takes no further constraints; use euclidean and equal(h).`);
  const { quotient } = bound.on.traits;
  return quotient ? { ...bound, on: quotient.without } : bound;
}

/** ‖grad f(X)‖, not below this part of ‖∇f(X)‖ */
const LEAST_GRADIENT = 1e-3;

/** The unit of ρ: the size of the gradient at the start, or at a random point where that is 0; 1 if f is constant */
function unitOf(bound: Domain<View>, L: Lagrangian, X: Tall, seed: number): number {
  const atStart = gradientSize(bound.E, bound.on, L, X);
  if (atStart > 0) return atStart;
  const elsewhere = gradientSize(bound.E, bound.on, L, randomPoint(bound, seed + 1));
  L.f(X);
  return elsewhere > 0 ? elsewhere : 1;
}

export function gradientSize(E: Engine, on: Constraint, L: Lagrangian, X: Tall): number {
  L.f(X);
  const R = E.tall(on.shape.n, on.shape.p);
  E.copy(R, L.last.G);
  const whole = norm(E, R);
  on.dissolver.tangent(R, pointOf(E, on)(X));
  return Math.max(norm(E, R), LEAST_GRADIENT * whole);
}
