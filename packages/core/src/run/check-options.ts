/** The check of the options of a run: of their names and values, and of the memory that it takes */

import {
  amount,
  anything,
  bool,
  chosenOptions,
  type Engine,
  either,
  func,
  integer,
  list,
  number,
  object,
  oneOf,
  positive,
  type Schema,
  type SchemaOf,
  signal,
  text,
  whole,
} from "@expen/linalg";
import { requireMemory, runPartsOn } from "@expen/linalg/memory";
import type { Manifold, View } from "../contracts/manifold.js";
import type { OptionName, Solvers } from "../contracts/solver.js";
import type { Events } from "./events.js";
import { optionsOfSolvers } from "./option-schema.js";
import type { MinimizeOptions, StiefelOptions, SubjectOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";
import { requireSolverFor } from "./solver-fit.js";

/** Throws a sentence about the first option that is wrong. `more`: options that the caller takes besides. */
export function checkRunOptions(solvers: Solvers, o: StiefelOptions, more: Schema = {}): void {
  const own = { ...runSchema, ...more };
  const isOfRun = Object.keys(Object(o)).every((name) => Object.hasOwn(own, name));
  chosenOptions("", o, isOfRun ? own : { ...runSchema, ...optionsOfSolvers(solvers, o?.solver), ...more });
  checkSolver(solvers, o);
}

/** Throws a sentence where listeners are wrong, no solver has the name, or the solver takes no such term or preconditioner. */
export function checkSolver(solvers: Solvers, o: StiefelOptions): void {
  if (o.events) chosenOptions("events", o.events, eventKinds);
  if (!takeDefault(o)) requireSolverFor(solvers, o);
}

/** Throws a `MemoryError` if the matrices of the run do not fit into the engine or into the process. */
export function requireRoom(solvers: Solvers, { n, p, shapes }: Sizes, o: StiefelOptions, E: Engine): void {
  requireMemory(n, p, runPartsOn(shapes, solvers[o.solver ?? DEFAULT_SOLVER]!.holds, o), E);
}

type Sizes = Pick<Manifold<View>, "n" | "p" | "shapes">;

/** Do the options leave the method to the default? It has a meaning on all manifolds. */
export const takeDefault = ({ solver, beta, nonsmooth, precondition, finish }: StiefelOptions): boolean =>
  [solver, beta, nonsmooth, precondition, finish].every((choice) => choice === undefined);

/** The options of a run, beside those that solvers have */
export const runSchema: SchemaOf<Omit<MinimizeOptions, OptionName | keyof SubjectOptions | "on">> = {
  solver: text,
  tol: amount,
  relTol: amount,
  maxIterations: amount,
  maxEvaluations: amount,
  maxSeconds: amount,
  signal,
  stop: func,
  observe: func,
  events: object,
  start: anything,
  seed: integer,
  optimum: number,
  certificate: oneOf(["brief", "second-order", "stationary"]),
  certificateBudget: amount,
  finish: oneOf(["newton"]),
  history: bool,
  // checked by `onEngine`
  engine: anything,
  check: either(bool, oneOf(["full"])),
};

/** The constraints themselves are checked by sets/minimize.ts. */
export const subjectSchema: SchemaOf<SubjectOptions> = {
  subjectTo: list,
  constraintTolerance: positive,
  starts: whole(1),
  exchange: either(either(oneOf(["auto"]), bool), amount),
};

const eventKinds: SchemaOf<Events> = { iteration: func, stage: func, saddle: func, end: func };
