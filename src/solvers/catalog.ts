/** Every solver by the name it has on the command line. */
import { expenSolvers } from "./catalog-expen.js";
import { feasibleSolvers } from "./catalog-feasible.js";
import { infeasibleSolvers } from "./catalog-infeasible.js";
import { eigenStrategies } from "./eigen-strategies.js";
import { expenStrategies } from "./strategies.js";
import { automatic } from "./strategy.js";

export type { OptionName, Schema, SolverEntry, SolverOptions } from "./entry.js";

export const solvers = {
  auto: automatic([...eigenStrategies, ...expenStrategies]),
  ...expenSolvers,
  ...infeasibleSolvers,
  ...feasibleSolvers,
};

export type SolverName = keyof typeof solvers;
