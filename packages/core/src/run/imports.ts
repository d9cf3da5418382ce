/** The modules of a run: they are imported before it begins, so that no step waits, and only those that this f may need. */

import type { Engine, Tall } from "@expen/linalg";
import type { CertifyOptions, Outcome } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import type { StiefelOptions } from "./options.js";
import type { Parts } from "./parts.js";
import type { BeginSolver } from "./solver-entry.js";
import { DEFAULT_SOLVER } from "./strategy.js";

/** A solver of a run */
export interface RunSolver {
  readonly begin: BeginSolver;
  /** whether all iterates lie on the manifold, and f itself is minimised */
  readonly isFeasible: boolean;
}

/** The functions of these modules */
export interface Imports {
  readonly solver: RunSolver;
  /** of `finish: "newton"` */
  readonly newton: RunSolver | undefined;
  readonly certify: Certify;
}

/** The certificate with the proofs for an f */
type Certify = (E: Engine, f: Objective, X: Tall, options: CertifyOptions) => Outcome;

/** The solver that finishes to the rounding floor */
const NEWTON = "expen-newton";

/** Imports the modules of a run on this f with these options. */
export async function importFor(parts: Parts, f: Objective, o: StiefelOptions, on: Constraint): Promise<Imports> {
  const load = async (name: string, o: StiefelOptions): Promise<RunSolver> => {
    const entry = parts.solvers[name]!;
    return { begin: await entry.load(f, { ...o, on }), isFeasible: entry.feasible?.(o.beta ?? "auto") ?? false };
  };
  const [solver, newton, certify] = await Promise.all([
    load(o.solver ?? DEFAULT_SOLVER, o),
    o.finish === "newton" ? load(NEWTON, {}) : undefined,
    importCertify(parts, f),
  ]);
  return { solver, newton, certify };
}

export async function importCertify({ loadProvers }: Pick<Parts, "loadProvers">, f: Objective): Promise<Certify> {
  const [{ certify }, provers] = await Promise.all([import("../certify/certify.js"), loadProvers?.(f) ?? []]);
  return (E, f, X, options) => certify(E, f, X, options, provers);
}
