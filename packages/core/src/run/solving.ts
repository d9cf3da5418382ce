/** Data for the driver beside the options of a run */

import type { State } from "../contracts/method.js";
import type { Imports } from "./imports.js";

/** Comparisons with f before a run. Left out: none */
export interface StartCheck {
  /** of its gradient along the steps of the run, and of its Hessian with differences; "full": of both before the run */
  gradient?: boolean | "full";
  /** of the declared quadratic form */
  forms?: boolean;
  /** refuses an f that is not finite at the start; left out, the run reports it */
  finite?: boolean;
  /** the option that leaves the check out, for its error sentences */
  without?: string;
}

/** Options of `solve` beside those of the run */
export interface Solving {
  check?: StartCheck;
  /** observes each state, whose X is a point of the algebra and no view */
  onState?(s: State): void;
  /** the modules of the run, where they are imported already */
  imports?: Imports;
}
