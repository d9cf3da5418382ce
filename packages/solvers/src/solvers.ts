/** Every solver, by the name that options and the command line use. */
import { automatic, expenSolvers, expenStrategies } from "@expen/core";
import { eigenStrategies } from "@expen/eigen";
import { feasibleSolvers, infeasibleSolvers } from "./catalog.js";

export const solvers = {
  auto: automatic([...eigenStrategies, ...expenStrategies]),
  ...expenSolvers,
  ...infeasibleSolvers,
  ...feasibleSolvers,
};

export type SolverName = keyof typeof solvers;
