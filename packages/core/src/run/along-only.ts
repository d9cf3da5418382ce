/** A run whose gradient is ∇f along the manifold alone, as a Riemannian one is */

import type { SolverEntry, Solvers } from "../contracts/solver.js";
import type { StiefelOptions } from "./options.js";
import { DEFAULT_SOLVER } from "./options.js";
import type { Run } from "./run.js";
import { namesWhere } from "./solver-fit.js";

/** Keeps the run on the manifold, with a note. `why`: the reason why its gradient is of no use elsewhere */
export function stayOnManifold(run: Run, solvers: Solvers, why: string): void {
  requireFeasible(solvers, run.o, why);
  // a proof by convexity takes ∇f in all of ℝⁿˣᵖ
  run.f = { ...run.f, convex: false };
  run.notes.push(noteOf(why));
}

export const noteOf = (why: string): string => `${why}; the run stays on the manifold`;

/** Throws a sentence if the run would need f or its gradient off the manifold. `why`: the reason why they cannot be used there */
function requireFeasible(
  solvers: Solvers,
  { solver = DEFAULT_SOLVER, beta = "auto", finish }: StiefelOptions,
  why: string,
): void {
  const staysFeasible = ({ feasible }: SolverEntry): boolean => feasible?.("auto") ?? false;
  const how = `add the terms, or take one of ${namesWhere(solvers, staysFeasible)}`;
  if (finish) throw new RangeError(`finish is '${finish}', which leaves the manifold; ${why}; leave it out.`);
  const entry = solvers[solver]!;
  if (!entry.feasible?.(beta)) {
    const option = staysFeasible(entry) ? `solver '${solver}' with a beta` : `solver '${solver}'`;
    throw new RangeError(`${option} leaves the manifold; ${why}; ${how}.`);
  }
}
