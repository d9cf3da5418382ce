/** `expen/types`: types of options, states and results in parts, for declarations of one's own. This entry has no values. */
export type {
  CertificateLevel,
  ComplexMatrix,
  Evaluations,
  MetricMatrix,
  Nonsmooth,
  Observer,
  Precondition,
  QuadraticForm,
  Reason,
  ReasonKind,
  SaddleEvent,
  StageEvent,
  State,
  Stop,
  Subject,
  Term,
  VectorFunction,
} from "@expen/core";
export type { DerivativeCheck } from "@expen/core/check";
export type { Random, Small, Tridiagonal } from "@expen/linalg";
