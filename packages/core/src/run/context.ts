import type { Engine, Ranks, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { type Measurer, measurer } from "../certify/measure.js";
import type { GradientCheck } from "../check/before-run.js";
import { silentBlocks } from "../check/ignored-parts.js";
import type { Constraint } from "../contracts/constraint.js";
import { type Domain, leaves, type View } from "../contracts/manifold.js";
import type { Evaluations, Objective, State, Term } from "../contracts/objective.js";
import type { Point } from "../contracts/point.js";
import type { Row } from "../contracts/result.js";
import { type Evaluator, evaluator } from "../objective/evaluator.js";
import { noEvaluations } from "../objective/objective.js";
import type { StiefelOptions } from "./options.js";
import { type Parts, termOf } from "./parts.js";
import { randomPoint, startAt } from "./start.js";
import type { Method } from "./strategy.js";
import { type Tolerance, toleranceOf } from "./tolerance.js";

/** What was done before a run for its sake */
export interface Spent {
  began: number;
  evaluations: Evaluations;
  /** where it begins, and what was done to the given point, in words */
  start?: { X: Tall; notes: readonly string[] };
  /** f, where a check has evaluated it */
  evaluator?: RunEvaluator;
  /** what the check of the gradient has found */
  gradient?: GradientCheck;
}

export const nothingSpent = (): Spent => ({ began: performance.now(), evaluations: noEvaluations() });

/** f as a run calls it */
export interface RunEvaluator extends Evaluator {
  /** parts of a product whose first gradient is 0 */
  readonly silent: readonly string[];
}

export function evaluatorOn(bound: Domain<View>, f: Objective, calls: Evaluations): RunEvaluator {
  const silent: string[] = [];
  const first = (G: Tall, norm: number): void => {
    requireSquares(bound.E, G, norm);
    silent.push(...silentBlocks(bound, G));
  };
  const parts = (X: Tall) => leaves(bound.view(X)).map(({ matrix }) => matrix);
  return Object.assign(evaluator(bound.E, f, { calls, parts, first }), { silent });
}

/** What all rounds of a run share. */
export interface Run {
  readonly parts: Parts;
  readonly E: Engine;
  /** where X lives, and how f sees it */
  readonly bound: Domain<View>;
  readonly on: Constraint;
  /** the same in words */
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
  /** where a round starts, and where its end is projected to; x.BX is that of the last projection */
  readonly x: Point;
  readonly X: Tall;
  /** what was done to the input or on the way, in words */
  readonly notes: string[];
  readonly history: Row[];
  /** what certificates took */
  readonly certifying: { evaluations: Evaluations; seconds: number; reductions: number };
  /** what the steps took, where there are several processes */
  readonly stepping: { evaluations: number; reductions: number };
  /** messages before the run began, where there are several processes */
  readonly traffic: Partial<Ranks["traffic"]>;
  /** the engine's count of operations when the run began */
  readonly flops: number;
  readonly seed: number;
  /** the method that the last round took, where the default chose it */
  method: Method | undefined;
  /** known from the first state on */
  tolerance: Tolerance | undefined;
  /** iterations of the rounds before this one */
  done: number;
  saddles: number;
  /** seconds since the run began */
  elapsed(): number;
}

export function newRun(
  parts: Parts,
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
  const traffic = { ...E.ranks?.traffic };
  const X = given?.X ?? startOf(bound, o, notes);
  notes.push(...(given?.notes ?? []));
  const on = unlessQuotient(E, F, bound.on, X, notes);
  const term = termOf(parts, o.nonsmooth);
  const x = on.point(X);
  return {
    parts,
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
    elapsed: () => (now() - start) / 1000,
  };
}

/** The gradient norm to reach, when the first state of a run is there: an evaluation where the start has next to no gradient */
export function toleranceAt({ E, F, on, o, term, bound, ruler, X, seed }: Run, first: State): Tolerance {
  // a solver that knows the form of f may not have asked for a gradient
  if (on.dimension > 0 && Number.isNaN(F.firstNorm)) ruler.measure(X);
  const gradientElsewhere = (): number => {
    const { stationarity } = measurer(E, F, term, on).measure(randomPoint(bound, seed + 1));
    return Number.isFinite(stationarity) ? stationarity : 0;
  };
  return toleranceOf(o, first, { dimension: on.dimension, norm: F.firstNorm, gradientElsewhere });
}

/** Throws a sentence where the squares of the gradient's entries under- or overflow: its norm would say nothing. */
function requireSquares(E: Engine, G: Tall, norm: number): void {
  if (norm > 1e-140 && norm < 1e140) return;
  let largest = 0;
  for (const g of E.read(G)) largest = Math.max(largest, Math.abs(g));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return;
  throw new RangeError(`the largest entry of the gradient is ${digits(largest)}, whose square is no number; scale f.`);
}

/** f that changes under X → XQ by more than this part of what its gradient lets expect, and than rounding, is no function of the span. */
const CHANGES = 1e-8;
const ROUNDING = 2 ** -46;

/** The constraint, or that without its quotient where f tells points apart that are one there. */
function unlessQuotient(E: Engine, f: Evaluator, on: Constraint, X: Tall, notes: string[]): Constraint {
  const { quotient } = on.traits;
  if (!quotient) return on;
  const Y = E.tall(f.n, f.p);
  quotient.turn(Y, X);
  const { G, f: before } = f.start(X);
  const after = f.f(Y);
  E.combine(Y, -1, X, 1, Y);
  // not f itself, which may hold a large constant
  const expected = Math.sqrt(E.dot(G, G) * E.dot(Y, Y));
  const size = Math.max(Math.abs(before), Math.abs(after));
  const change = Math.abs(after - before);
  if (!(change > CHANGES * expected + ROUNDING * size)) return on;
  const what = `f is no function on ${on.name}: it changes by ${digits(change / size)} of itself ${quotient.text}`;
  notes.push(`${what}; the run and its certificate take ${quotient.without.name}`);
  return quotient.without;
}

/** The given point made feasible, or a seeded random one. */
export function startOf(bound: Domain<View>, { start, seed = 1 }: StiefelOptions, notes: string[]): Tall {
  return start === undefined ? randomPoint(bound, seed) : startAt(bound, start, notes);
}
