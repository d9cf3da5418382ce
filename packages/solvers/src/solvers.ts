/** The driver put together: every solver, by the name that options and the command line use, engines, proofs and terms */

import { automatic, expenSolvers, loadExpenStrategies, type Parts, type SolverEntry } from "@expen/core";
import { type EngineName, openEngine } from "@expen/engines";
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

/** The core's driver with the fastest engine there is, every solver, every proof, and terms by their kind */
export const parts: Required<Parts<typeof solvers>> = {
  open: (options, name = "auto") => openEngine(name as EngineName, options),
  solvers,
  loadProvers: async (f) => (f.quadratic ? [(await import("@expen/eigen")).quadraticProof] : []),
  loadTerm: async (of) => (await import("./term.js")).normOf(of),
};
