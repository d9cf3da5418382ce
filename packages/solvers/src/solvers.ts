/** Every solver by the name it has on the command line. */
import { automatic, expenSolvers, expenStrategies } from "@expen/core";
import { eigenStrategies } from "@expen/eigen";
import { feasibleSolvers } from "./catalog.js";
import { infeasibleSolvers } from "./catalog-infeasible.js";

export const solvers = {
  auto: automatic([...eigenStrategies, ...expenStrategies]),
  ...expenSolvers,
  ...infeasibleSolvers,
  ...feasibleSolvers,
};

export type SolverName = keyof typeof solvers;
