/** The data that all rounds of a run share, and how they begin. */

import type { Engine, Ranks, Tall } from "@expen/linalg";
import { type Measurer, type Measures, measurer } from "../certify/measure.js";
import type { GradientCheck } from "../check/before-run.js";
import type { Outcome } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { Reason, State } from "../contracts/method.js";
import type { Evaluations, Objective, Term } from "../contracts/objective.js";
import type { Point } from "../contracts/point.js";
import type { Row } from "../contracts/result.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";
import { noEvaluations } from "../objective/counted.js";
import type { StiefelOptions } from "./options.js";
import { quotientIfInvariant } from "./quotient.js";
import { evaluatorOn, type RunEvaluator } from "./run-evaluator.js";
import { randomPoint, startOf } from "./start.js";
import type { Method } from "./strategy.js";
import type { Tolerance } from "./tolerance.js";

/** The work before the first step that counts as part of the run: time, evaluations, results of checks */
export interface Spent {
  began: number;
  evaluations: Evaluations;
  /** the start, and changes to the given point, in words */
  start?: { X: Tall; notes: readonly string[] };
  /** f, where a check has evaluated it */
  evaluator?: RunEvaluator;
  /** the result of the gradient check */
  gradient?: GradientCheck;
}

export const nothingSpent = (): Spent => ({ began: performance.now(), evaluations: noEvaluations() });

export interface Run {
  readonly E: Engine;
  /** the manifold on the engine, with the view of points that f takes */
  readonly bound: Domain<View>;
  readonly on: Constraint;
  /** the manifold in words */
  readonly text: string;
  readonly f: Objective;
  /** the term beside f */
  readonly term: Term | undefined;
  readonly o: StiefelOptions;
  /** f with its calls counted in `evaluations` */
  readonly F: RunEvaluator;
  readonly evaluations: Evaluations;
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

export function newRun(
  term: Term | undefined,
  { bound, text }: { bound: Domain<View>; text: string },
  f: Objective,
  o: StiefelOptions,
  { began, evaluations, start: given, evaluator: F = evaluatorOn(bound, f, evaluations) }: Spent,
): Run {
  const { E } = bound;
  const notes: string[] = [];
  // several processes go by the clock of one
  const start = E.ranks?.agree(began) ?? began;
  const now = E.ranks?.now ?? (() => performance.now());
  let outside = 0;
  const traffic = { ...E.ranks?.traffic };
  const X = given?.X ?? startOf(bound, o, notes);
  notes.push(...(given?.notes ?? []));
  const { quotient } = bound.on.traits;
  const on = quotient ? quotientIfInvariant(E, F, bound.on, quotient, X, notes) : bound.on;
  const x = on.point(X);
  return {
    E,
    bound,
    on,
    text,
    f,
    term,
    o,
    F,
    evaluations,
    ruler: measurer(E, F, term, on),
    project: (Z) => void on.project(x, Z),
    x,
    X,
    notes,
    history: [],
    certifying: { evaluations: noEvaluations(), seconds: 0, reductions: 0 },
    stepping: { evaluations: 0, reductions: 0 },
    traffic,
    flops: E.counters.flops,
    seed: o.seed ?? 1,
    method: undefined,
    tolerance: undefined,
    done: 0,
    saddles: 0,
    elapsed: () => (now() - start) / 1000 - outside,
    leaveOut: (seconds) => void (outside += seconds),
  };
}

/** The tolerance of a run, at its first state. Costs an evaluation at a random point where the start has next to no gradient. */
export function toleranceAt({ E, F, on, o, term, bound, ruler, X, seed }: Run, first: State): Tolerance {
  // dimension 0: every feasible point is stationary
  if (on.dimension === 0) return { absolute: Number.POSITIVE_INFINITY, relative: 0, elsewhere: 0, floor: 0 };
  const { tol, relTol } = o;
  // a solver that knows the form of f may not have evaluated a gradient
  if (Number.isNaN(F.firstNorm)) ruler.measure(X);
  let elsewhere = 0;
  if (first.gnormMax <= DEFAULT_TOLERANCE && tol === undefined) {
    const { stationarity } = measurer(E, F, term, on).measure(randomPoint(bound, seed + 1));
    if (Number.isFinite(stationarity)) elsewhere = stationarity;
  }
  return {
    absolute: tol ?? (relTol === undefined ? undefined : 0),
    relative: (relTol ?? 0) * first.gnorm,
    elsewhere,
    floor: 4 * 2 ** -52 * Math.max(F.firstNorm, elsewhere),
  };
}
