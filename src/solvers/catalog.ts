/** Every solver by the name it has on the command line. */
import { expenSolvers } from "./catalog-expen.js";
import { feasibleSolvers } from "./catalog-feasible.js";
import { infeasibleSolvers } from "./catalog-infeasible.js";
import type { SolverOptions } from "./entry.js";

export type { OptionName, Schema, SolverEntry, SolverOptions } from "./entry.js";

export const solvers = { ...expenSolvers, ...infeasibleSolvers, ...feasibleSolvers };

export type SolverName = keyof typeof solvers;

/** Whether f is evaluated on the manifold alone, to rounding */
export const staysFeasible = (name: SolverName, beta: SolverOptions["beta"] = "auto"): boolean =>
  name in feasibleSolvers || name === "frame" || (name === "auto" && beta === "auto");
