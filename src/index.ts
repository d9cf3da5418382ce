/** `expen`: minimise f on a manifold, and what people write beside it. The rest has entries of its own: src/entries. */
export { type Sparse, sparseFromTriplets } from "./arrays/sparse.js";
export { constantTridiagonal } from "./arrays/tridiagonal.js";
export type { Certificate, CertificateLevel, CertifyOptions } from "./certify.js";
export { GradientError } from "./check/before-run.js";
export { ContractError } from "./check/contract.js";
export { FormError } from "./check/forms.js";
export { checkDerivatives, type DerivativeCheck } from "./check.js";
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
export { openEngine } from "./engines/open.js";
export { EngineError } from "./errors.js";
export { MemoryError } from "./memory/require.js";
export { certify, minimize } from "./minimize.js";
export type { Formula } from "./objective/formula.js";
export type { UserObjective } from "./objective/objective.js";
export { type Random, random } from "./random.js";
export type { Events, SaddleEvent, StageEvent } from "./run/events.js";
export { nearestPoint } from "./run/nearest-point.js";
export type { MinimizeOptions } from "./run/options.js";
export { ObjectiveError, type Result } from "./run/result.js";
export { randomStart } from "./run/start.js";
export * as stop from "./run/stop.js";
export type { SolverName } from "./solvers/catalog.js";
export type {
  Engine,
  Evaluations,
  Matrix,
  Nonsmooth,
  Objective,
  Observer,
  Precondition,
  QuadraticForm,
  Reason,
  ReasonKind,
  Small,
  State,
  Stop,
  Tall,
  Term,
  Tridiagonal,
} from "./types.js";
