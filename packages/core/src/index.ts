export { measurer } from "./certify/measure.js";
export type { Spectrum } from "./certify/offered-spectrum.js";
export type {
  Allowance,
  Certificate,
  CertificateLevel,
  CertifyOptions,
  Curvature,
  Escape,
  Measured,
  Outcome,
  Proof,
  Prover,
} from "./contracts/certificate.js";
export type { Constraint } from "./contracts/constraint.js";
export type { ComplexMatrix, Domain, Manifold, Place, Plain, PointLike, Shape, View } from "./contracts/manifold.js";
export type { Measures } from "./contracts/measures.js";
export type {
  Geometry,
  Observer,
  Precondition,
  Ray,
  Reason,
  ReasonKind,
  Search,
  Solver,
  State,
  Stop,
  UserStop,
} from "./contracts/method.js";
export type {
  Evaluations,
  LowRank,
  Nonsmooth,
  Objective,
  QuadraticForm,
  Sparsity,
  Term,
} from "./contracts/objective.js";
export type { Point } from "./contracts/point.js";
export { ObjectiveError, type Result, type Row } from "./contracts/result.js";
export type {
  BeginSolver,
  Chosen,
  OptionName,
  Schema,
  SolverEntry,
  SolverOptions,
  TextOption,
  Where,
} from "./contracts/solver.js";
export type { BoundFormula, Declared, Formula, FormulaPenalty, UserObjective } from "./contracts/user-objective.js";
export { circle, type FieldOptions } from "./manifolds/complex.js";
export { dissolver } from "./manifolds/dissolver.js";
export { fixedRank, type LowRankFactors, type MatrixProducts, ofProducts } from "./manifolds/fixed-rank.js";
export { flag } from "./manifolds/flag.js";
export type { MetricMatrix } from "./manifolds/metric-matrix.js";
export { multiplierSpread } from "./manifolds/multiplier-spread.js";
export {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  oblique,
  permutations,
  product,
  specialOrthogonal,
  sphere,
} from "./manifolds/named.js";
export { normalStep } from "./manifolds/normal-step.js";
export { plainPoint, pointOf } from "./manifolds/point.js";
export { power } from "./manifolds/powers.js";
export { simplex } from "./manifolds/simplex.js";
export { stiefel, stiefelConstraint } from "./manifolds/stiefel.js";
export { tangentProjector } from "./manifolds/tangent-projector.js";
export { itself, leaves, mapView, plain } from "./manifolds/view.js";
export { roundingOf, violationOf } from "./manifolds/violation.js";
export { minimize } from "./minimize.js";
export { counted, evaluatorOf, noEvaluations } from "./objective/evaluator.js";
export { refuseQuadratic } from "./objective/in-view.js";
export { checkedForm } from "./objective/mistakes.js";
export { objective, objectiveOn } from "./objective/objective.js";
export { sumOf, sumOverRanks } from "./objective/over-ranks.js";
export { quadraticObjective } from "./objective/quadratic.js";
export type { EquationsFunction, JacobianFunction } from "./own/equations.js";
export { type OwnManifoldOptions, ownManifold } from "./own/own-manifold.js";
export { automatic, loadExpenStrategies } from "./run/automatic.js";
export { checkRunOptions, checkSolver, runSchema } from "./run/check-options.js";
export { type ClosedForm, closedForm } from "./run/closed-form.js";
export { drain } from "./run/drain.js";
export type { Events, SaddleEvent, StageEvent } from "./run/events.js";
export { unlessLinear } from "./run/linear.js";
export { type ItemF, type ManyOptions, minimizeMany, problemSolver } from "./run/many.js";
export { type Problem, type ProblemList, problemsOf } from "./run/many-problems.js";
export { ManyError, type ManyResult, manyResult, type Solution } from "./run/many-result.js";
export { minimizer } from "./run/minimizer.js";
export { nearestPoint } from "./run/nearest-point.js";
export {
  beta,
  isText,
  memory,
  namesOf,
  optionsOfSolvers,
  precondition,
  readOption,
  rule,
  variant,
} from "./run/option-schema.js";
export type { MinimizeOptions, StiefelOptions, SubjectOptions } from "./run/options.js";
export type { Minimizer, Parts } from "./run/parts.js";
export { randomStart } from "./run/random-start.js";
export { feasibleEntry, solverEntry } from "./run/solver-entry.js";
export { requireSolverOn, worksOn } from "./run/solver-fit.js";
export { expenSolvers } from "./run/solvers.js";
export type { Solving, StartCheck } from "./run/solving.js";
export { randomPoint, startOf } from "./run/start.js";
export * as stop from "./run/stop-rules.js";
export type { Known, LoadStrategies, Strategy } from "./run/strategy.js";
export {
  atMost,
  bounds,
  type ConstraintFunction,
  equal,
  nonnegative,
  type Selection,
  type Subject,
  type VectorFunction,
} from "./sets/subject.js";
