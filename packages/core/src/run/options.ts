/** The options of a run */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import type { Manifold, PointLike, View } from "../contracts/manifold.js";
import type { Observer, UserStop } from "../contracts/method.js";
import type { SolverOptions } from "../contracts/solver.js";
import type { Subject } from "../sets/subject.js";
import type { Events } from "./events.js";

/** The solver of a run that names none */
export const DEFAULT_SOLVER = "auto";

/** Options of every run: solver, tolerances, limits, check, certificate, start and observers */
export interface StiefelOptions extends Omit<SolverOptions, "tolerance" | "evaluations" | "watch" | "note" | "chose"> {
  /** the name of a solver of the composition; left out: the default chooses a method */
  solver?: string;
  /**
   * Riemannian gradient norm to reach (absolute). Left out: 1e-6, and 1e-6 of the largest gradient of the run where that is smaller
   * (of a random point besides, if the start has next to none). Never below 4ε·‖∇f(X0)‖, which is roundoff.
   */
  tol?: number;
  /** gradient norm to reach, as a part of that at the start; beside `tol`, the larger of both is reached first */
  relTol?: number;
  /** limit of iterations */
  maxIterations?: number;
  /** calls of f, of its gradient (both at once count once) and of its Hessian, after which the run ends with its present step */
  maxEvaluations?: number;
  /** limit of seconds */
  maxSeconds?: number;
  /** ends the run; the result so far is returned */
  signal?: AbortSignal;
  /** a further rule, checked after the ones above; it returns a reason, a sentence or true to end the run */
  stop?: UserStop;
  /** gets every state of the run and must not change it */
  observe?: Observer;
  /** listeners by event, beside `observe` */
  events?: Events;
  /** any n×p matrix, made feasible with a note if it is not; left out: a seeded random point */
  start?: Matrix;
  /** of all random numbers of the run, those of the start among them */
  seed?: number;
  /** the known minimum, for the gap */
  optimum?: number | undefined;
  /**
   * "brief", the default: proofs that cost no evaluations, and second order as far as a quarter of the run's evaluations show it;
   * "second-order": as many as show it, with all curvatures where they cost little; "stationary": no second order. Saddles that are seen
   * are left, and the other components of the manifold are searched, but for "stationary".
   */
  certificate?: "brief" | "second-order" | "stationary";
  /**
   * Evaluations that the certificate may take beside those of the run, and uses up, in the place of the number above. To leave a saddle
   * with large n·p takes as many again.
   */
  certificateBudget?: number;
  /** "newton": after the tolerance is met, trust-region Newton steps down to the rounding floor of the gradient */
  finish?: "newton";
  /**
   * keep f, ‖grad f‖, evaluations and seconds of every iteration in the result. Where a solver has a penalty, f is measured at the
   * nearest feasible point: an evaluation a step that counts for nothing
   */
  history?: boolean;
}

/** Constraints beside the manifold, options of `minimize` alone */
export interface SubjectOptions {
  /** constraints beside the manifold: [nonnegative()], [bounds(0, 1)], [atMost(g), equal(h)] */
  subjectTo?: readonly Subject[];
  /** largest violation and complementarity of `subjectTo` at the end; left out: 1e-6 */
  constraintTolerance?: number;
  /** with `subjectTo`: runs from as many starts, the first one yours, the others random; the best answer is taken. 1 if left out */
  starts?: number;
  /** X ≥ 0 with XᵀX = I: evaluations for moves of rows to another column; "auto", the default, is 2n, false none */
  exchange?: "auto" | number | boolean;
}

/** A manifold and an engine beside the options of a run. */
export interface MinimizeOptions<P extends View = Tall>
  extends Omit<StiefelOptions, "start" | "precondition">,
    SubjectOptions {
  /** the manifold: stiefel(n, p), product({ U: …, V: … }), … */
  on: Manifold<P>;
  /** where the run begins, feasible or not; left out: a random point by `seed` */
  start?: PointLike<P>;
  /** writes an approximation of (∇²f)⁻¹·G into Z */
  precondition?: (Z: P, X: P, G: P) => void;
  /** an engine, which stays open, or the name of one, which is open for the run; left out: the fastest available */
  engine?: Engine | (string & {});
  /**
   * Compare the gradient with f along the steps of the run, which costs no evaluation, and with differences of f where a step speaks
   * against it. "full": with differences before the run too, 4 evaluations or 8. A formula's gradient needs no check.
   */
  check?: boolean | "full";
}
