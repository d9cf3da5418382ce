/** The one place where a run calls the functions of its user: each call is counted, agreed on by all processes, and looked at. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { counted, noEvaluations } from "./objective.js";

/** f and ∇f at a point where a method may begin, and what the first evaluation of all cost */
export interface Start {
  readonly X: Tall;
  readonly f: number;
  /** ∇f(X); a method may write into it */
  readonly G: Tall;
  /** in this process: flops of the products of the engine in f, and entries that its other operations went over */
  readonly flops: number;
  readonly entries: number;
}

export interface Evaluator extends Objective {
  /** every call of the user's functions, exact */
  readonly calls: Evaluations;
  /** ‖∇f‖ where it was asked for first; NaN before */
  readonly firstNorm: number;
  /**
   * f and ∇f at X: evaluated once, and known until `forget`, which must come before X or the gradient is written. Until then `fg` at
   * a point with the same numbers calls no function of the user. `evaluate` may do more than fg.
   */
  start(X: Tall, evaluate?: (G: Tall) => number): Start;
  /** What is known at X, which is forgotten here: its gradient may be written. */
  take(X: Tall): Start | undefined;
  forget(): void;
  /** Shows every evaluation of f with ∇f from now on. */
  watch(see: ((G: Tall, X: Tall, value: number) => void) | undefined): void;
}

interface Looks {
  /** where the calls are counted */
  calls?: Evaluations;
  /** the matrices of a point as the user's functions see it: theirs must be written before a process tells others of them */
  parts?: (X: Tall) => Matrix[];
  /** is shown the first gradient, which may be refused there */
  first?: (G: Tall, norm: number) => void;
}

const distance = chain(2, ({ sub, abs }, x, y) => ({ outputs: [], sum: abs(sub(x, y)) }));

export function evaluator(
  E: Engine,
  user: Objective,
  { calls = noEvaluations(), parts, first }: Looks = {},
): Evaluator {
  const f = counted(user, calls);
  const { ranks } = E;
  let firstNorm = Number.NaN;
  let cost: Pick<Start, "flops" | "entries"> | undefined;
  let known: Start | undefined;
  let see: ((G: Tall, X: Tall, value: number) => void) | undefined;

  /** All processes have this value, and rows that f got (`rowsOf`) are as it left them: it must not write them later. */
  function agreed(value: number, ...points: Tall[]): number {
    if (!ranks) return value;
    ranks.same(value);
    settled(...points);
    return value;
  }
  function settled(...points: Tall[]): void {
    for (const X of points) for (const A of parts?.(X) ?? [X]) ranks?.settle(A);
  }

  /** Σ|x − y|, which is 0 for finite x = y alone: no difference of two numbers underflows */
  const isSame = (X: Tall, Y: Tall): boolean => X === Y || E.map([], distance, [X, Y]) === 0;

  function fg(G: Tall, X: Tall): number {
    if (known && isSame(X, known.X)) {
      if (G !== known.G) E.copy(G, known.G);
      return known.f;
    }
    const { flops, entries } = E.counters;
    const value = f.fg(G, X);
    const isFirst = cost === undefined;
    cost ??= { flops: E.counters.flops - flops, entries: E.counters.entries - entries };
    agreed(value, X, G);
    if (isFirst) {
      firstNorm = Math.sqrt(E.dot(G, G));
      first?.(G, firstNorm);
    }
    see?.(G, X, value);
    return value;
  }

  const { hvp } = f;
  return {
    ...f,
    calls,
    get firstNorm() {
      return firstNorm;
    },
    f: (X) => agreed(f.f(X), X),
    fg,
    hvp:
      hvp &&
      ((H, X, D) => {
        hvp(H, X, D);
        if (ranks) settled(X, D, H);
      }),
    start(X, evaluate = (G) => fg(G, X)) {
      if (known?.X === X) return known;
      const G = E.tall(f.n, f.p);
      const value = evaluate(G);
      known = { X, f: value, G, ...cost! };
      return known;
    },
    take(X) {
      const taken = known?.X === X ? known : undefined;
      known = undefined;
      return taken;
    },
    forget() {
      known = undefined;
    },
    watch(sees) {
      see = sees;
    },
  };
}

export const isEvaluator = (f: Objective): f is Evaluator => "calls" in f && "take" in f;

/** f as an evaluator: itself where it is one */
export const evaluatorOf = (E: Engine, f: Objective): Evaluator => (isEvaluator(f) ? f : evaluator(E, f));

/** The same objective for a method whose first call of `fg` is at the start: that call returns what is known there. */
export function fromStart(E: Engine, f: Objective, start: Start | undefined): Objective {
  let given = start;
  const fg: Objective["fg"] = (G, X) => {
    if (!given) return f.fg(G, X);
    const { f: value, G: known } = given;
    given = undefined;
    if (G !== known) E.copy(G, known);
    return value;
  };
  if (!start) return f;
  const { calls, firstNorm, start: begin, take, forget, watch, ...own } = f as Evaluator;
  return { ...own, fg };
}
