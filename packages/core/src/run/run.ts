/** The data that all rounds of a run share */

import type { Engine, Ranks, Tall } from "@expen/linalg";
import type { Outcome } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Evaluator } from "../contracts/evaluator.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { Measurer, Measures } from "../contracts/measures.js";
import type { Reason, State } from "../contracts/method.js";
import type { Evaluations, Objective, Term } from "../contracts/objective.js";
import type { Point } from "../contracts/point.js";
import type { Row } from "../contracts/result.js";
import type { StepComparison } from "../contracts/step-comparison.js";
import type { StiefelOptions } from "./options.js";
import type { Method } from "./strategy.js";

/** The work before the first step that counts as part of the run */
export interface Spent {
  /** by `performance.now` */
  readonly began: number;
  readonly evaluations: Evaluations;
}

export interface Run {
  readonly E: Engine;
  /** the manifold on the engine, with the view of points that f takes */
  readonly bound: Domain<View>;
  /** that of `bound`, or without its quotient where f depends on the basis */
  on: Constraint;
  /** the manifold in words */
  readonly text: string;
  /** not convex off the manifold, where its gradient is right along the manifold alone */
  f: Objective;
  /** the term beside f */
  readonly term: Term | undefined;
  readonly o: StiefelOptions;
  /** f with its calls counted in `evaluations` */
  readonly F: Evaluator;
  readonly evaluations: Evaluations;
  /** parts of a product whose first gradient is 0 */
  readonly silent: readonly string[];
  /** compares f with its gradient on the way, if the gradient is checked */
  comparison: StepComparison | undefined;
  readonly ruler: Measurer;
  /** x ← the nearest feasible point to Z */
  readonly project: (Z: Tall) => void;
  /** the start of a round, and the projection of its end; x.BX is that of the last projection */
  readonly x: Point;
  /** x.X */
  readonly X: Tall;
  /** changes to the input and events of the run, in words */
  readonly notes: string[];
  readonly history: Row[];
  /** cost of the certificates */
  readonly certifying: { evaluations: Evaluations; seconds: number; reductions: number };
  /** cost of the steps, counted on several processes */
  readonly stepping: { evaluations: number; reductions: number };
  /** messages before the run began, on several processes */
  readonly traffic: Partial<Ranks["traffic"]>;
  /** the engine's count of operations when the run began */
  readonly flops: number;
  readonly seed: number;
  /** of the last round, if the default chose it */
  method: Method | undefined;
  /** set at the first state */
  tolerance: Tolerance | undefined;
  /** iterations of the rounds before this one */
  done: number;
  saddles: number;
  /** seconds since the run began, without those left out */
  elapsed(): number;
  /** Takes seconds that are no part of the run out of its time. */
  leaveOut(seconds: number): void;
}

/** The gradient norm that a run is to reach, as numbers that are known at its first state */
export interface Tolerance {
  /** `tol`; 0 if only `relTol` was given, Infinity on a manifold of dimension 0; undefined: the default */
  readonly absolute: number | undefined;
  /** `relTol` times the gradient norm at the start */
  readonly relative: number;
  /** the gradient norm at a random point, if it is next to 0 at the start: a typical gradient of f */
  readonly elsewhere: number;
  /** 4ε‖∇f‖: the roundoff in a gradient that is zero */
  readonly floor: number;
}

/** The last state of a round, and the measures of its projection, which is in `run.X` */
export interface End {
  readonly state: State;
  readonly reason: Reason;
  /** ‖XᵀX − I‖ before the projection */
  readonly before: number;
  readonly measures: Measures;
  /** the projection, to the tolerance */
  readonly isStationary: boolean;
}

/** The end of the last round, its projection in `run.X`, and the certificate of that point */
export interface Descent {
  readonly end: End;
  readonly outcome: Outcome;
}
