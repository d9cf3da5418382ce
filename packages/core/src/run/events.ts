import type { Observer, State } from "../contracts/method.js";
import type { Result } from "../contracts/result.js";

/** A new stage of an adaptive penalty: X was projected, the multiplier and β were updated. */
export interface StageEvent {
  /** 1, 2, … */
  stage: number;
  /** accepted steps of this round */
  k: number;
  /** β of the stage that ended */
  beta: number;
  /** f at the projected point */
  f: number;
  gnorm: number;
}

/** A stationary point that is no minimum, by the certificate; the run goes on below it. */
export interface SaddleEvent {
  /** f at the saddle */
  fval: number;
  /** smallest eigenvalue of the Riemannian Hessian there */
  curvature: number;
  /** iterations so far */
  iterations: number;
}

/** Listeners by event. They observe and must change nothing; to stop a run, give a `signal` or a `stop` rule. */
export interface Events {
  /** the start (k = 0) and every accepted step; the state is reused: copy what you keep */
  iteration?: Observer;
  stage?(event: StageEvent): void;
  saddle?(event: SaddleEvent): void;
  end?(result: Result): void;
}

/** An observer that calls `stage` when the stage in the solver's notes grows. */
export function stageObserver(stage: NonNullable<Events["stage"]>): Observer {
  let [last, beta] = [0, 0];
  return (s: State) => {
    const { notes } = s;
    const current = notes?.stage;
    if (current === undefined) return;
    // a new round counts from 0 again
    if (current > last) stage({ stage: current, k: s.k, beta, f: s.f, gnorm: s.gnorm });
    last = current;
    beta = notes?.beta ?? beta;
  };
}
