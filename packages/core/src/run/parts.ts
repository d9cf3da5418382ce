/** What a composition gives to the driver. */

import type { Engine } from "@expen/linalg";
import type { Prover } from "../contracts/certificate.js";
import type { Nonsmooth, Term } from "../contracts/objective.js";
import type { Solvers } from "./options.js";

export interface Parts<S extends Solvers = Solvers> {
  /** the engine of a run that was given none; `size`: of X, where it may lie on a device; `notes`: for sentences about the choice */
  open(o: { size: { n: number; p: number }; notes: string[] }): Promise<Engine>;
  /** by name; one of them has the name of the default */
  readonly solvers: S;
  /** of a global minimum, for XᵀX = I, in the order in which they are tried; convexity is looked at before them */
  readonly provers: readonly Prover[];
  /** the term that { kind, weight } stand for, where a solver knows any */
  term?(given: Nonsmooth | Term): Term;
}

export function termOf({ term }: Parts, given: Nonsmooth | Term | undefined): Term | undefined {
  if (!given || "bind" in given) return given;
  if (!term) throw new RangeError(`nonsmooth: no terms are known here by their kind, '${given.kind}'; give a term.`);
  return term(given);
}
