/** The parts of a composition: the driver with an engine, solvers and provers. */

import type { Engine } from "@expen/linalg";
import type { Prover } from "../contracts/certificate.js";
import type { Nonsmooth, Objective, Term } from "../contracts/objective.js";
import type { Solvers } from "./options.js";

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
  /** the term of { kind, weight }, if a solver takes terms */
  term?(given: Nonsmooth | Term): Term;
}

export function termOf({ term }: Pick<Parts, "term">, given: Nonsmooth | Term | undefined): Term | undefined {
  if (!given || "bind" in given) return given;
  if (!term) throw new RangeError(`nonsmooth: no terms are known here by their kind, '${given.kind}'; give a term.`);
  return term(given);
}
