/** The modules of a run: they are imported before it begins, so that no step waits, and only those that this f may need. */

import type { Constraint } from "../contracts/constraint.js";
import type { Nonsmooth, Objective, Term } from "../contracts/objective.js";
import type { Again, Certify, Imports, RunSolver } from "./imports.js";
import type { StiefelOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";
import type { Parts } from "./parts.js";

/** The solver that finishes to the rounding floor */
const NEWTON = "expen-newton";

/** Imports the modules of a run on this f with these options. */
export async function importFor(parts: Parts, f: Objective, o: StiefelOptions, on: Constraint): Promise<Imports> {
  const load = async (name: string, o: StiefelOptions): Promise<RunSolver> => {
    const entry = parts.solvers[name]!;
    return { begin: await entry.load(f, { ...o, on }), isFeasible: entry.feasible?.(o.beta ?? "auto") ?? false };
  };
  const [solver, newton, certify, term, ignored, quotient, again] = await Promise.all([
    load(o.solver ?? DEFAULT_SOLVER, o),
    o.finish === "newton" ? load(NEWTON, {}) : undefined,
    importCertify(parts, f),
    importTerm(parts, o.nonsmooth),
    on.traits.parts && import("../check/ignored-parts.js"),
    on.traits.quotient && import("./quotient.js"),
    importAgain(on),
  ]);
  return { solver, newton, certify, term, ignored, quotient: quotient?.quotientIfInvariant, again };
}

export async function importCertify({ loadProvers }: Pick<Parts, "loadProvers">, f: Objective): Promise<Certify> {
  const [{ certify }, provers] = await Promise.all([import("../certify/certify.js"), loadProvers?.(f) ?? []]);
  return (E, f, X, options) => certify(E, f, X, options, provers);
}

async function importTerm({ loadTerm }: Parts, of: Nonsmooth | Term | undefined): Promise<Term | undefined> {
  if (!of || "bind" in of) return of;
  if (!loadTerm) throw new RangeError(`nonsmooth: no terms are known here by their kind, '${of.kind}'; give a term.`);
  return loadTerm(of);
}

/** Where the manifold has several components, and where its quotient does not count */
async function importAgain({ traits: { reflections, quotient } }: Constraint): Promise<Again[]> {
  if (!(reflections ?? quotient?.without.traits.reflections)) return [];
  return [(await import("./components.js")).searchComponents];
}
