/** A composition of engine, solvers and provers: its parts, and the driver made of them */

import type { Engine, Tall } from "@expen/linalg";
import type { Prover } from "../contracts/certificate.js";
import type { Place, Plain, View } from "../contracts/manifold.js";
import type { State } from "../contracts/method.js";
import type { Nonsmooth, Objective, Term } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import type { Solvers } from "../contracts/solver.js";
import type { Formula, UserObjective } from "../contracts/user-objective.js";
import type { MinimizeOptions, StiefelOptions, SubjectOptions } from "./options.js";
import type { Solving } from "./solving.js";

export interface Parts<S extends Solvers = Solvers> {
  /**
   * opens the engine of a run without one, or with its name; `size`: of X, if it may lie on a device; `notes`: gets sentences about the
   * choice
   */
  open(o: { size: { n: number; p: number }; notes: string[] }, name?: string): Promise<Engine>;
  /** by name, with the name of the default among them */
  readonly solvers: S;
  /**
   * Imports the proofs of a global minimum that this f may have, for XᵀX = I, in the order of the attempts; the proof by convexity comes
   * before them.
   */
  loadProvers?(f: Objective): Promise<readonly Prover[]>;
  /** Imports the terms and makes that of { kind, weight }, if a solver takes terms. */
  loadTerm?(of: Nonsmooth): Promise<Term>;
}

/** f as a user gives it, or a function that makes it on an engine */
export type UserF<P extends View> = UserObjective<P> | Formula | ((E: Engine) => UserObjective<P> | Formula);

/** The solver by name; other names are refused when the run begins. */
type Named<S> = { solver?: (keyof S & string) | (string & {}) };

/** `minimize` and its steps */
export interface Minimizer<S extends Solvers> {
  /** Minimises f over the manifold `on`; without `engine` it opens one and closes it. */
  readonly minimize: <P extends View = Tall>(
    f: UserF<P>,
    o: MinimizeOptions<P> & Named<S>,
  ) => Promise<Result<Plain<P>>>;
  /** `solve` as a generator of states, without checks of f and `subjectTo`: step it, or `drain` it. */
  readonly solveOn: (
    place: Place,
    f: Objective,
    o?: StiefelOptions & Named<S>,
  ) => Promise<Generator<State, Result, void>>;
  /** `minimize` for a complete f on an engine that is open */
  readonly solve: (
    place: Place,
    f: Objective,
    o?: StiefelOptions & SubjectOptions & Named<S>,
    solving?: Solving,
  ) => Promise<Result>;
}
