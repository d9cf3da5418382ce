/** `expen/methods`: unconstrained and Riemannian methods, line searches, the catalogue of solvers, and runs step by step. */
export type { Curvature, Geometry, Point, Ray, Search, Solver } from "@expen/core";
export {
  checkRunOptions,
  drain,
  isText,
  measurer,
  namesOf,
  objective,
  objectiveOn,
  readOption,
  requireSolverOn,
  type SolverOptions,
  type StiefelOptions,
} from "@expen/core";
export { type QuickCheck, quickCheck } from "@expen/core/check";
export {
  type CgRule,
  type CgRuleName,
  cg,
  cgRules,
  euclideanGeometry,
  hagerZhang,
  lbfgs,
  type Method,
  moreThuente,
  scipySearch,
  stiefelGeometry,
  type TrialRay,
  trialRay,
  trustRegion,
  zoom,
} from "@expen/core/methods";
export { solve as minimizeOn, solveOn, solverParts, solvers, solveStiefel } from "@expen/solvers";
export { type RetractionName, retractions } from "@expen/solvers/rivals";
