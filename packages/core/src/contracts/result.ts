import type { Matrix } from "@expen/linalg";
import type { Certificate } from "./certificate.js";
import type { Reason } from "./method.js";
import type { Evaluations, Sparsity } from "./objective.js";

/** One row of the history: f and its gradient at the feasible point of a step, the same for every solver */
export interface Row {
  /** steps so far, over all rounds */
  k: number;
  f: number;
  /** ‖grad f‖, the Riemannian gradient */
  gnorm: number;
  /** ‖X_k − X_{k−1}‖ */
  step: number;
  seconds: number;
  /** calls of f and Hessian-vector products so far */
  evaluations: number;
  /** ‖K(X)‖ before the projection, of solvers whose points are not feasible */
  feasibility?: number;
  /** with `subjectTo`: norm of violation and complementarity together, max(g, −λ/ρ) and h */
  residual?: number;
  /** with `subjectTo`: the penalty parameter ρ */
  penalty?: number;
}

/** The manifold, the method and the reason why it was taken */
export interface RunDescription {
  /** the manifold */
  on: string;
  /** the named solver, or the default */
  solver: string;
  /** the method that the default took; of a named solver, the solver itself */
  method: string;
  /** why this method, in a few words */
  why: string;
  engine: string;
  seed: number;
  /** the last penalty parameter, for the solvers that have one */
  beta?: number;
}

/** `P`: a point in plain numbers, by default a matrix */
export interface Result<P = Matrix> {
  n: number;
  p: number;
  run: RunDescription;
  /** "converged"; "rounding" if roundoff leaves the gradient above the given tolerance; or the reason why the run ended before */
  status: string;
  reason: Reason;
  fval: number;
  /** ‖∇f − X·sym(Xᵀ∇f)‖_F at the projected X */
  stationarity: number;
  /** ‖XᵀX − I‖_F at the projected X */
  feasibility: number;
  feasibilityBeforeProjection: number;
  iterations: number;
  /** calls of the user's functions before the certificate: check, start, run, measuring; `certificate.evaluations` has the others */
  evaluations: Evaluations;
  /** wall time from the call to the end of the run, check and start included; `certificate.seconds` is not in it */
  seconds: number;
  optimum: number | null;
  gap: number | null;
  certificate: Certificate;
  /** changes to the input and events of the run, in words */
  notes: string[];
  history?: Row[];
  /**
   * with `subjectTo`: the Lagrange multipliers, an array for each of its entries; ≥ 0 for `atMost`, of bounds those of the upper
   * minus those of the lower ones
   */
  multipliers?: Float64Array[];
  /** with `subjectTo`: the largest violation, max(g, |h|), 0 where feasible */
  violation?: number;
  /** with `subjectTo`: max |min(−g, λ)| */
  complementarity?: number;
  /** with `subjectTo`: the last penalty parameter ρ */
  penalty?: number;
  /** with X ≥ 0 and XᵀX = I: the column of the positive entry of each row, −1 for a row of zeros */
  support?: Int32Array;
  /** with a nonsmooth term: the zeros of X, read before the projection, which fills them with roundoff */
  sparsity?: Sparsity;
  /**
   * on several processes: messages and bytes that this one has sent. `reductions` are sums over ranks for start, run and
   * measuring, `reductionsPerEvaluation` those of the steps alone, `exchanges` all others (rows of neighbours, gathers).
   */
  communication?: {
    ranks: number;
    reductions: number;
    reductionsPerEvaluation: number;
    reductionsOfCertificate: number;
    exchanges: number;
    bytes: number;
  };
  /** of X, if each process has some of its rows */
  firstRow?: number;
  /** the answer, feasible, in plain numbers; of several processes each has its rows */
  X: P;
}

/** An exception thrown by f during a run; `X` is the last good point. */
export class ObjectiveError extends Error {
  override name = "ObjectiveError";
  constructor(
    message: string,
    readonly X: Matrix,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}
