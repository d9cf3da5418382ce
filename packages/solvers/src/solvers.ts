/** Every solver, by the name that options and the command line use. */
import { automatic, expenSolvers, loadExpenStrategies, type SolverEntry } from "@expen/core";
import { feasibleSolvers, infeasibleSolvers } from "./catalog.js";

/** The solvers by name, as `solver` takes them */
export type SolverName =
  | "auto"
  | keyof typeof expenSolvers
  | keyof typeof infeasibleSolvers
  | keyof typeof feasibleSolvers;

/** The entry of every solver: its title, its options, the matrices it holds, and the method */
export const solvers: Readonly<Record<SolverName, SolverEntry>> = {
  auto: automatic(async (f, o) => {
    // the others need no form
    const ofForms = f.quadratic ? (await import("@expen/eigen")).eigenStrategies : [];
    return [...ofForms, ...(await loadExpenStrategies(f, o))];
  }),
  ...expenSolvers,
  ...infeasibleSolvers,
  ...feasibleSolvers,
};
