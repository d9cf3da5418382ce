import type { Certificate } from "../certify.js";
import type { Method } from "../solvers/strategy.js";
import type { Evaluations, Matrix, Reason, Sparsity } from "../types.js";

/** One line of the history: what the solver itself saw. */
export interface Row {
  k: number;
  f: number;
  gnorm: number;
  step: number;
  seconds: number;
  evaluations: number;
}

/** `P`: a point in plain numbers, a matrix if nothing else was said */
export interface Result<P = Matrix> {
  /** where X lives */
  on: string;
  n: number;
  p: number;
  seed: number;
  solver: string;
  /** the method that the default took, and why; absent where a solver was named */
  method?: Method;
  engine: string;
  /** the last penalty parameter, for the solvers that have one */
  beta: number | null;
  /** "converged"; "rounding" where rounding leaves a gradient above the tolerance that was given; or why the run ended before */
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
  /** what was done to the input or during the run, in words */
  notes: string[];
  history?: Row[];
  /** with a nonsmooth term: where X is zero, read before the projection, which fills zeros with rounding */
  sparsity?: Sparsity;
  /**
   * where there are several processes: messages and bytes that this one has sent. `reductions` are sums over ranks for start, run and
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
  /** of X, where each process has some of its rows */
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
