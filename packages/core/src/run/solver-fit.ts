/** Which solvers take which options, and have a meaning on a manifold. The default has one on each. */

import { nearest } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { OptionName, SolverEntry, Solvers } from "../contracts/solver.js";
import type { StiefelOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";

/** Throws a sentence where no solver has the name, or it takes no such term or preconditioner. */
export function requireSolverFor(solvers: Solvers, o: StiefelOptions): void {
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

/** The names of the solvers for which `holds` is true */
export const namesWhere = (solvers: Solvers, holds: (entry: SolverEntry) => boolean): string =>
  Object.keys(solvers)
    .filter((name) => holds(solvers[name]!))
    .join(", ");

const able = (solvers: Solvers, option: OptionName): string => namesWhere(solvers, ({ schema }) => option in schema);
