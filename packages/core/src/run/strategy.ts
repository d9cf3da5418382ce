/** A way to solve a kind of problem, and the reason why it fits */

import type { Engine, Tall } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import type { Constraint } from "../contracts/constraint.js";
import type { Evaluator } from "../contracts/evaluator.js";
import type { Solver } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Chosen, SolverOptions, Vocabulary, Where } from "../contracts/solver.js";

/** The data for the choice of a method */
export interface Known {
  readonly E: Engine;
  readonly on: Constraint;
  /** evaluates f and ∇f at X0 at the first request, and keeps them */
  readonly f: Evaluator;
  readonly X0: Tall;
  readonly o: Chosen<Pick<Vocabulary, "beta" | "memory" | "precondition">>;
}

/** A way to solve a kind of problem */
export interface Strategy {
  readonly name: string;
  /** the reason why it fits, in a few words; undefined if it does not */
  fits(k: Known): string | undefined;
  /** matrices of a run beside those of the default's entry */
  holds?(k: Known): readonly Part[];
  begin(k: Known): Solver;
}

/** The method of a run, and the reason why it was taken */
export interface Method {
  readonly name: string;
  readonly why: string;
}

/** Imports the strategies that may fit an f with these options, before it is called, in the order in which they are tried. */
export type LoadStrategies = (f: Objective, o: SolverOptions & Where) => Promise<readonly Strategy[]>;
