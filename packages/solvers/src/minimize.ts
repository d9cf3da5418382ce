/** `minimize` with the fastest engine there is, every solver and proof */

import type {
  ClosedForm,
  Formula,
  ItemF,
  ManyOptions,
  ManyResult,
  MinimizeOptions,
  Objective,
  Plain,
  Result,
  Shape,
  StiefelOptions,
  UserObjective,
  View,
} from "@expen/core";
import { closedForm as closedFormOf, type Minimizer, minimizeMany as minimizeManyOf, minimizer } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { type Held, type Part, type RunShape, runParts, runPartsOn } from "@expen/linalg/memory";
import { parts, type SolverName, solvers } from "./solvers.js";

type Driver = Minimizer<typeof solvers>;

const driver: Driver = minimizer(parts);

/**
 * Minimises f over the manifold `on`: stiefel(n, p), generalizedStiefel(B, p), complexStiefel(n, p), product({ U: …, V: … }), …
 * f gets and fills points as its manifold shows them: a matrix, { re, im }, or an object of these by name.
 *
 * `f` is {f, grad} or {fg}, with hvp where you have it, `formula((X) => …)` for automatic derivatives, or a function of the engine that
 * makes one of these. A gradient that does not belong to f is a `GradientError`, a declared form that does not a `FormError`, a run that
 * memory cannot hold a `MemoryError`. Lets the event loop run every few milliseconds, so that a signal can stop it. Without `engine` it
 * opens one and closes it when it ends; matrices that f made on it are gone then, the result is not.
 */
export const minimize: <P extends View = Tall>(
  f: UserObjective<P> | Formula | ((E: Engine) => UserObjective<P> | Formula),
  o: MinimizeOptions<P> & { solver?: SolverName | (string & {}) },
) => Promise<Result<Plain<P>>> = driver.minimize;
/** The same for a complete f on an engine that is open */
export const solve: Driver["solve"] = driver.solve;
/** Imports what the run needs and begins it: step the generator, or `drain` it. */
export const solveOn: Driver["solveOn"] = driver.solveOn;

/**
 * Minimises many f of the same shape: one for each item of `data`, one for each number below `count`, or one f from many `starts`.
 *
 *     const { results } = await minimizeMany(formula((R, { P, Q }) => norm2(sub(mul(R, P), Q))), { on: specialOrthogonal(3), data });
 *     const { results, best, hits } = await minimizeMany(f, { on: stiefel(6, 6), starts: 20 });
 *
 * Result k is that of `minimize` for item k. Where some problems throw, the others are done, and a `ManyError` has both.
 */
export const minimizeMany = <T = never, P extends View = Tall>(
  f: ItemF<P, T>,
  o: ManyOptions<P, T> & { solver?: SolverName | (string & {}) },
): Promise<ManyResult<Plain<P>>> => minimizeManyOf(parts, f, o);

/** A point that a formula gives, measured and certified like the end of a run */
export const closedForm = (
  E: Engine,
  f: Objective,
  point: ClosedForm,
  o: StiefelOptions,
): Promise<Result | undefined> => closedFormOf(parts, E, f, point, o);

type WithSolver = RunShape & { solver?: string };
const holdsOf = (o?: WithSolver): Held => solvers[(o?.solver ?? "auto") as SolverName].holds;

/** The matrices of a run, by its solver; without a name, by the default */
export const solverParts = (n: number, p: number, o?: WithSolver): Part[] => runParts(n, p, holdsOf(o), o);
/** The same on a manifold */
export const solverPartsOn = (shapes: readonly Shape[], o?: WithSolver): Part[] => runPartsOn(shapes, holdsOf(o), o);
