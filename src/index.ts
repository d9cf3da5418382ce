/** The public API. */
export * as apps from "./applications/index.js";
export { type Sparse, sparseApply, sparseFromTriplets } from "./arrays/sparse.js";
export { constantTridiagonal } from "./arrays/tridiagonal.js";
export * from "./autodiff/index.js";
export type { Certificate, CertificateLevel, CertifyOptions, Curvature } from "./certify.js";
export { GradientError } from "./check/before-run.js";
export { ContractError } from "./check/contract.js";
export { FormError } from "./check/forms.js";
export { checkDerivatives, type DerivativeCheck, type QuickCheck, quickCheck } from "./check.js";
export type { ComplexMatrix, Manifold, Plain, View } from "./constraints/manifold.js";
export {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  type MetricMatrix,
  oblique,
  product,
  specialOrthogonal,
  sphere,
  stiefel,
} from "./constraints/manifolds.js";
export { asMatrix } from "./data/array-like.js";
export { type ChainOperations, chain, type Value } from "./engines/elementwise/chain.js";
export { jsEngine } from "./engines/js.js";
export { availableEngines, type EngineName, type EngineOptions, engineNames, openEngine } from "./engines/open.js";
export { rowsOf } from "./engines/rows.js";
export { EngineError } from "./errors.js";
export { type Algorithm1Options, algorithm1 } from "./expen/algorithm-1.js";
export { type BetaRule, fixedBeta } from "./expen/beta.js";
export { type FlatObjective, flatten } from "./expen/flatten.js";
export { type ExPen, expen } from "./expen/penalty.js";
export { type ShiftedExPen, shiftedExpen } from "./expen/shift.js";
export { stagedExpen } from "./expen/stages.js";
export { euclidean as euclideanGeometry } from "./geometry/euclidean.js";
export { stiefel as stiefelGeometry } from "./geometry/stiefel.js";
export { polar } from "./linalg/polar.js";
export { MemoryError } from "./memory/require.js";
export { certify, minimize } from "./minimize.js";
export { type Formula, objective, type UserObjective } from "./objective/objective.js";
export { sumOf, sumOverRanks } from "./objective/ranks.js";
export { sparsityPattern } from "./penalty/proximal.js";
export { nonsmoothStationarity } from "./penalty/tangent-prox.js";
export { l1, l21 } from "./penalty/term.js";
export { brockett } from "./problems/brockett.js";
export { problems } from "./problems/catalog.js";
export { noeig } from "./problems/noeig.js";
export { pca } from "./problems/pca.js";
export type { Problem } from "./problems/problem.js";
export { fillNormal, type Random, random } from "./random.js";
export type { Events, SaddleEvent, StageEvent } from "./run/events.js";
export { nearestPoint } from "./run/nearest-point.js";
export type { MinimizeOnOptions, MinimizeOptions, StiefelOptions } from "./run/options.js";
export { ObjectiveError, type Result } from "./run/result.js";
export { randomStart } from "./run/start.js";
export * as stop from "./run/stop.js";
export { adaptive } from "./search/adaptive.js";
export { armijo, nonmonotone } from "./search/armijo.js";
export { daiZhang } from "./search/dai-zhang.js";
export { hagerZhang } from "./search/hager-zhang.js";
export { moreThuente } from "./search/more-thuente.js";
export { scipySearch } from "./search/scipy.js";
export { zoom } from "./search/zoom.js";
export { type BbRule, barzilaiBorwein } from "./solvers/barzilai-borwein/barzilai-borwein.js";
export { type SolverName, type SolverOptions, solvers } from "./solvers/catalog.js";
export { cg } from "./solvers/cg.js";
export { type CgRule, type CgRuleName, cgRules } from "./solvers/cg-rules.js";
export { type RetractionName, retractions } from "./solvers/curves.js";
export { lbfgs } from "./solvers/quasi-newton/lbfgs.js";
export { type Method, type TrialRay, trialRay } from "./solvers/ray.js";
export { trustRegion } from "./solvers/trust-region.js";
export { drain, minimizeStiefel, solveStiefel } from "./stiefel.js";
export type {
  Chain,
  Engine,
  Evaluations,
  Factorizations,
  Geometry,
  Instruction,
  Matrix,
  Nonsmooth,
  Objective,
  Observer,
  Operator,
  Precondition,
  QuadraticForm,
  Ranks,
  Ray,
  Reason,
  ReasonKind,
  Search,
  Small,
  Solver,
  State,
  Stop,
  Tall,
  Term,
  Tridiagonal,
} from "./types.js";
