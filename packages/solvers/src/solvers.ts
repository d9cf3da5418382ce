/** Every solver by the name it has on the command line. */
import { expenSolvers } from "@expen/core";
import { feasibleSolvers } from "./catalog.js";
import { infeasibleSolvers } from "./catalog-infeasible.js";
import { eigenStrategies } from "@expen/eigen";
import { expenStrategies } from "@expen/core";
import { automatic } from "@expen/core";



export const solvers = {
  auto: automatic([...eigenStrategies, ...expenStrategies]),
  ...expenSolvers,
  ...infeasibleSolvers,
  ...feasibleSolvers,
};

export type SolverName = keyof typeof solvers;
