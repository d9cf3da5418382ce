/** `expen`: minimise f on a manifold, and what people write beside it. The rest has entries of its own: src/entries. */

export type {
  Certificate,
  CertificateLevel,
  CertifyOptions,
  ComplexMatrix,
  Evaluations,
  Events,
  Formula,
  Manifold,
  MinimizeOptions,
  Nonsmooth,
  Objective,
  Observer,
  Plain,
  Precondition,
  QuadraticForm,
  Reason,
  ReasonKind,
  SaddleEvent,
  StageEvent,
  State,
  Stop,
  Term,
  UserObjective,
  View,
} from "@expen/core";
export {
  ContractError,
  checkDerivatives,
  complexStiefel,
  type DerivativeCheck,
  euclidean,
  FormError,
  GradientError,
  generalizedStiefel,
  grassmann,
  type MetricMatrix,
  nearestPoint,
  ObjectiveError,
  oblique,
  product,
  type Result,
  randomStart,
  specialOrthogonal,
  sphere,
  stiefel,
  stop,
} from "@expen/core";
export { openEngine } from "@expen/engines";
export type { Engine, Matrix, Small, Tall, Tridiagonal } from "@expen/linalg";
export { EngineError, type Random, random, type Sparse } from "@expen/linalg";
export { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
export { MemoryError } from "@expen/linalg/memory";
export type { SolverName } from "@expen/solvers";
export { certify, minimize } from "@expen/solvers";
