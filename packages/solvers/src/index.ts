/** `minimize` with every method, engine and proof, whole and step by step. */
export { certify } from "./load-certify.js";
export { closedForm, minimize, minimizeMany, solve, solveOn, solverParts, solverPartsOn } from "./minimize.js";
export { type SolverName, solvers } from "./solvers.js";
export { solveStiefel } from "./stiefel.js";
