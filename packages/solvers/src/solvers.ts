/** Every solver, by the name that options and the command line use. */
import { automatic, expenSolvers, loadExpenStrategies } from "@expen/core";
import { feasibleSolvers, infeasibleSolvers } from "./catalog.js";

export const solvers = {
  auto: automatic(async (f, o) => {
    // the others need no form
    const ofForms = f.quadratic ? (await import("@expen/eigen")).eigenStrategies : [];
    return [...ofForms, ...(await loadExpenStrategies(f, o))];
  }),
  ...expenSolvers,
  ...infeasibleSolvers,
  ...feasibleSolvers,
};

export type SolverName = keyof typeof solvers;
