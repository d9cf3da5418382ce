/** Which solvers have a meaning on a manifold, and with which options */

import type { Constraint } from "../contracts/constraint.js";
import type { SolverEntry, Solvers } from "../contracts/solver.js";
import type { StiefelOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";

/** Has the solver a meaning on the constraint? */
export const worksOn = ({ needs, general }: SolverEntry, on: Constraint): boolean => {
  if (on.traits.singularity && !general) return false;
  return needs === undefined || (needs === "orthonormal" ? on.traits.orthonormal : !on.traits.metric);
};

/** Throws a sentence if the solver has no meaning on the constraint. */
export function requireSolverOn(
  solvers: Solvers,
  { solver = DEFAULT_SOLVER, nonsmooth, beta = "auto", finish }: StiefelOptions,
  on: Constraint,
): void {
  if (on.traits.singularity && (finish || beta !== "auto")) {
    const choice = finish ? `finish is '${finish}'` : `beta is ${beta}`;
    throw new RangeError(`${choice}; ExPen's penalty is not known on ${on.name}: leave it out.`);
  }
  if (!worksOn(solvers[solver]!, on)) {
    const names = namesWhere(solvers, (entry) => worksOn(entry, on));
    throw new RangeError(`solver '${solver}' has no meaning on ${on.name}; take one of ${names}.`);
  }
  if (nonsmooth && !on.traits.orthonormal) {
    throw new RangeError(`nonsmooth: X lives on ${on.name}; proximal maps are known for orthonormal columns alone.`);
  }
}

/** Does the run need f and its gradient on the manifold alone? */
export const staysOnManifold = (
  solvers: Solvers,
  { solver = DEFAULT_SOLVER, beta = "auto", finish }: StiefelOptions,
): boolean => !finish && solvers[solver]!.feasible?.(beta) === true;

export const namesWhere = (solvers: Solvers, holds: (entry: SolverEntry) => boolean): string =>
  Object.keys(solvers)
    .filter((name) => holds(solvers[name]!))
    .join(", ");
