/** `expen`: minimise f on a manifold, and what people write beside it. Other subjects have entries of their own: apps, data, tape, … */

export type {
  Certificate,
  CertifyOptions,
  Events,
  Formula,
  Manifold,
  ManyResult,
  MinimizeOptions,
  Objective,
  Plain,
  Result,
  UserObjective,
  View,
} from "@expen/core";
export {
  atMost,
  bounds,
  complexStiefel,
  equal,
  euclidean,
  generalizedStiefel,
  grassmann,
  ManyError,
  nearestPoint,
  nonnegative,
  ObjectiveError,
  oblique,
  ownManifold,
  permutations,
  product,
  randomStart,
  specialOrthogonal,
  sphere,
  stiefel,
  stop,
} from "@expen/core";
export { ContractError, checkDerivatives, FormError, GradientError } from "@expen/core/check";
export { openEngine } from "@expen/engines";
export type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
export { EngineError, random } from "@expen/linalg";
export { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
export { MemoryError } from "@expen/linalg/memory";
export type { SolverName } from "@expen/solvers";
export { certify, minimize, minimizeMany } from "@expen/solvers";
