import type { Matrix } from "@expen/linalg";
import type { Certificate } from "../certify/certify.js";
import type { Evaluations, Reason, Sparsity } from "./objective.js";

/** One line of the history: what the solver itself saw. */
export interface Row {
  k: number;
  f: number;
  gnorm: number;
  step: number;
  seconds: number;
  evaluations: number;
}

/** What was run, where, and why this method */
export interface RunDescription {
  /** the manifold */
  on: string;
  /** the solver that was named, or the default */
  solver: string;
  /** the method that it took: of a solver that was named, itself */
  method: string;
  /** why this method, in a few words */
  why: string;
  engine: string;
  seed: number;
  /** the last penalty parameter, for the solvers that have one */
  beta?: number;
}

/** `P`: a point in plain numbers, a matrix if nothing else was said */
export interface Result<P = Matrix> {
  n: number;
  p: number;
  /** what was run */
  run: RunDescription;
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
