import type { Tall } from "@expen/linalg";

/** A point with f and ∇f as the user's functions gave them */
export interface SeenPoint {
  readonly X: Tall;
  readonly G: Tall;
  readonly f: number;
}

/** f compared with its gradient along the way of a run (check/step-comparison.ts) */
export interface StepComparison {
  /** Begins at this point; evaluations before it are not compared. */
  begin(start: SeenPoint): void;
  /** To be called after each evaluation of f with its gradient. */
  see(G: Tall, X: Tall, f: number): void;
  /** Compares the next evaluation with the last point that is kept. */
  compareNext(): void;
  /** Does a comparison speak against the gradient? It is only a suspicion: f may have a large third derivative, or noise. */
  readonly isSuspicious: boolean;
  /** To be called where differences of f have shown that the gradient is right: what was seen is how large e may be. */
  acquit(): void;
  /** Was any pair of points compared? */
  readonly hasCompared: boolean;
  /** the last point that is kept; undefined before the start */
  readonly last: SeenPoint | undefined;
}
