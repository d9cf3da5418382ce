import { type SolverName, solvers } from "../../src/solvers/catalog.js";
import { solverContract } from "../contracts/solver.js";
for (const name of Object.keys(solvers)) solverContract(name as SolverName);
