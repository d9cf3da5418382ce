/** The parts of a composition: the driver with an engine, solvers and provers. */

import type { Engine } from "@expen/linalg";
import type { Prover } from "../contracts/certificate.js";
import type { Nonsmooth, Objective, Term } from "../contracts/objective.js";
import type { Solvers } from "../contracts/solver.js";

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
