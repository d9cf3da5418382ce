import { type Part, type RunShape, runParts } from "../memory/need.js";
import { type SolverName, solvers } from "./catalog.js";

/** What a run of the solver holds; without a name, of the default. */
export const solverParts = (n: number, p: number, o: RunShape & { solver?: SolverName } = {}): Part[] =>
  runParts(n, p, solvers[o.solver ?? "expen"].holds, o);
