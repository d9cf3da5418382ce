import type { GradientCheck } from "../check/before-run.js";
import { silentBlocks } from "../check/ignored-blocks.js";
import type { Constraint } from "../constraints/constraint.js";
import { type Bound, leaves, type View } from "../constraints/manifold.js";
import { plainPoint } from "../constraints/point.js";
import { digits } from "../numbers.js";
import { counted, noEvaluations } from "../objective/objective.js";
import { sameOnRanks } from "../objective/ranks.js";
import { DEFAULT_TOLERANCE } from "../solvers/state.js";
import type { Method } from "../solvers/strategy.js";
import type { Space } from "../space.js";
import type { Engine, Evaluations, Objective, Point, Ranks, State, Tall, Term } from "../types.js";
import { type Measurer, measurer } from "./measure.js";
import type { StiefelOptions } from "./options.js";
import { type Parts, termOf } from "./parts.js";
import type { Row } from "./result.js";
import { randomPoint, startAt } from "./start.js";

/** What was done before a run for its sake: when it began, the evaluations so far, and a random start that was drawn for checks. */
export interface Spent {
  began: number;
  evaluations: Evaluations;
  start?: Tall;
  /** what the check of the gradient has found */
  gradient?: GradientCheck;
}

export const nothingSpent = (): Spent => ({ began: performance.now(), evaluations: noEvaluations() });

/** What all rounds of a run share. */
export interface Run {
  readonly parts: Parts;
  readonly E: Engine;
  /** where X lives, and how f sees it */
  readonly bound: Bound<View>;
  readonly on: Constraint;
  /** the same in words */
  readonly text: string;
  readonly f: Objective;
  /** the term beside f */
  readonly term: Term | undefined;
  readonly o: StiefelOptions;
  /** f with its calls counted in `evaluations` */
  readonly F: Objective;
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
  /** parts of a product that f may not know of */
  readonly silent: readonly string[];
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
  /** iterations of the rounds before this one */
  done: number;
  saddles: number;
  /** seconds since the run began */
  elapsed(): number;
  /** the gradient norm that was asked for */
  asked(s: State): number;
  /** the gradient norm to reach: what was asked for, but not less than rounding leaves of a gradient that is zero */
  tolerance(s: State): number;
}

export function newRun(
  parts: Parts,
  { bound, text }: { bound: Bound<View>; text: string },
  f: Objective,
  o: StiefelOptions,
  { began, evaluations, start: drawn }: Spent,
): Run {
  const { E } = bound;
  const notes: string[] = [];
  // several processes go by the clock of one
  const start = E.ranks?.agree(began) ?? began;
  const now = E.ranks?.now ?? (() => performance.now());
  const traffic = { ...E.ranks?.traffic };
  /** parts of a product whose first gradient is 0 */
  const silent: string[] = [];
  const look = (G: Tall, norm: number): void => {
    requireSquares(E, G, norm);
    silent.push(...silentBlocks(bound, G));
  };
  const matrices = (X: Tall) => leaves(bound.view(X)).map(({ matrix }) => matrix);
  const { f: F, norm: startGradient } = firstGradient(E, sameOnRanks(E, counted(f, evaluations), matrices), look);
  const X = drawn ?? startOf(bound, o, notes);
  const on = unlessQuotient(E, F, bound.on, X, notes);
  const term = termOf(parts, o.nonsmooth);
  const ruler = measurer(E, F, term, on);
  const x = on.traits.metric ? on.point() : plainPoint(X);
  if (x.X !== X) E.copy(x.X, X);
  /** The Riemannian gradient norm at a random point: what a gradient of f is like, where the start may be a solution */
  const gradientElsewhere = (): number => {
    const { stationarity } = measurer(E, F, term, on).measure(randomPoint(bound, (o.seed ?? 1) + 1));
    return Number.isFinite(stationarity) ? stationarity : 0;
  };
  /** of the gradient at the start */
  let first: number | undefined;
  /** of the gradient elsewhere, where the start has next to none */
  let elsewhere = 0;
  const asked = (s: State): number => {
    // no directions: what there is of a gradient is rounding
    if (on.dimension === 0) return Number.POSITIVE_INFINITY;
    // a solver that knows the form of f may not have asked for a gradient
    if (Number.isNaN(startGradient())) ruler.measure(X);
    if (first === undefined && s.gnormMax <= DEFAULT_TOLERANCE && o.tol === undefined) elsewhere = gradientElsewhere();
    first ??= s.gnorm;
    const scale = Math.max(s.gnormMax, elsewhere);
    const absolute = o.tol ?? (o.relTol === undefined ? DEFAULT_TOLERANCE * Math.min(1, scale) : 0);
    return Math.max(absolute, (o.relTol ?? 0) * first);
  };
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
    ruler,
    project: (Z) => void on.project(x, Z),
    x,
    X: x.X,
    notes,
    history: [],
    silent,
    certifying: { evaluations: noEvaluations(), seconds: 0, reductions: 0 },
    stepping: { evaluations: 0, reductions: 0 },
    traffic,
    flops: E.counters.flops,
    seed: o.seed ?? 1,
    method: undefined,
    done: 0,
    saddles: 0,
    elapsed: () => (now() - start) / 1000,
    asked,
    tolerance: (s) => Math.max(asked(s), 4 * 2 ** -52 * Math.max(startGradient(), elsewhere)),
  };
}

/** The same objective, and ‖∇f‖ where its gradient was asked for first: NaN before that. `look`: is shown that gradient */
export function firstGradient(
  E: Space,
  f: Objective,
  look?: (G: Tall, norm: number) => void,
): { f: Objective; norm(): number } {
  let norm = Number.NaN;
  let seen = false;
  const fg: Objective["fg"] = (G, X) => {
    const value = f.fg(G, X);
    if (!seen) {
      seen = true;
      norm = Math.sqrt(E.dot(G, G));
      look?.(G, norm);
    }
    return value;
  };
  return { f: { ...f, fg }, norm: () => norm };
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
function unlessQuotient(E: Engine, f: Objective, on: Constraint, X: Tall, notes: string[]): Constraint {
  const { quotient } = on.traits;
  if (!quotient) return on;
  const [Y, G] = [E.tall(f.n, f.p), E.tall(f.n, f.p)];
  quotient.turn(Y, X);
  const [before, after] = [f.fg(G, X), f.f(Y)];
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
export function startOf(bound: Bound<View>, { start, seed = 1 }: StiefelOptions, notes: string[]): Tall {
  return start ? startAt(bound, start, notes) : randomPoint(bound, seed);
}
