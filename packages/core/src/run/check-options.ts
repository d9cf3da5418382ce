/** The check of options: of their names and values, and of those that no solver can take together. */

import {
  amount,
  anything,
  bool,
  chosenOptions,
  either,
  func,
  integer,
  list,
  nearest,
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
import type { OptionName, Solvers } from "../contracts/solver.js";
import type { Events } from "./events.js";
import { optionsOfSolvers } from "./option-schema.js";
import type { MinimizeOptions, StiefelOptions, SubjectOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";
import { namesWhere } from "./solver-fit.js";

/** Throws a sentence about the first option that is wrong. `more`: options that the caller takes besides. */
export function checkRunOptions(solvers: Solvers, o: StiefelOptions, more: Schema = {}): void {
  const own = { ...runSchema, ...more };
  const isOfRun = Object.keys(Object(o)).every((name) => Object.hasOwn(own, name));
  chosenOptions("", o, isOfRun ? own : { ...runSchema, ...optionsOfSolvers(solvers, o?.solver), ...more });
  checkSolver(solvers, o);
}

/** Throws a sentence where listeners are wrong, no solver has the name, or the solver takes no such term or preconditioner. */
export function checkSolver(solvers: Solvers, o: StiefelOptions): void {
  chosenOptions("events", o.events, eventKinds);
  const { finish, solver = DEFAULT_SOLVER, nonsmooth, precondition } = o;
  if (!Object.hasOwn(solvers, solver)) {
    const names = Object.keys(solvers);
    const near = nearest(solver, names);
    const hint = near ? `; did you mean '${near}'?` : ".";
    throw new RangeError(`solver '${solver}' is none of ${names.join(", ")}${hint}`);
  }
  const { schema } = solvers[solver]!;
  if (nonsmooth && !("nonsmooth" in schema)) {
    throw new RangeError(
      `nonsmooth: the solver is '${solver}'; only ${able(solvers, "nonsmooth")} knows proximal maps.`,
    );
  }
  if (nonsmooth && finish) {
    throw new RangeError(`finish is '${finish}'; a nonsmooth term has no second derivatives, leave it out.`);
  }
  if (precondition && !("precondition" in schema)) {
    throw new RangeError(
      `solver '${solver}' takes no preconditioner; leave it out or take one of ${able(solvers, "precondition")}.`,
    );
  }
}

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

const able = (solvers: Solvers, option: OptionName): string => namesWhere(solvers, ({ schema }) => option in schema);
