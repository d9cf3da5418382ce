/** All calls of a user's functions in a run: counted, the same in all processes, and shown to an observer. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import type { Start } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { counted, noEvaluations } from "./counted.js";

/** f and ∇f at X, and the cost of the first evaluation of the run */
export interface Evaluated extends Start {
  readonly X: Tall;
  /** in this process: flops of the engine's products in f, and entries of its other operations */
  readonly flops: number;
  readonly entries: number;
}

export interface Evaluator extends Objective {
  /** the exact number of calls of the user's functions */
  readonly calls: Evaluations;
  /** ‖∇f‖ at the first evaluation; NaN before */
  readonly firstNorm: number;
  /**
   * f and ∇f at X: evaluated once, and known until `forget`, which must be called before X or the gradient is written. Until then `fg` at
   * a point with the same numbers calls no function of the user. `evaluate` may check more than fg.
   */
  start(X: Tall, evaluate?: (G: Tall) => number): Evaluated;
  /** The known f and ∇f at X, which the evaluator forgets: the gradient may be written. */
  take(X: Tall): Evaluated | undefined;
  forget(): void;
  /** Calls `see` after every evaluation of f with ∇f, until the function is called that it returns. */
  watch(see: See): () => void;
}

type See = (G: Tall, X: Tall, value: number) => void;

interface Hooks {
  /** the counter of calls */
  calls?: Evaluations;
  /** the matrices of a point in the user's view, whose writes must end before a process sends them */
  parts?: (X: Tall) => Matrix[];
  /** gets the first gradient; may throw */
  first?: (G: Tall, norm: number) => void;
}

const distance = chain(2, ({ sub, abs }, x, y) => ({ outputs: [], sum: abs(sub(x, y)) }));

export function evaluator(
  E: Engine,
  user: Objective,
  { calls = noEvaluations(), parts, first }: Hooks = {},
): Evaluator {
  const f = counted(user, calls);
  const { ranks } = E;
  let firstNorm = Number.NaN;
  let cost: Pick<Evaluated, "flops" | "entries"> | undefined;
  let known: Evaluated | undefined;
  let watchers: readonly See[] = [];

  /** Requires the same value in all processes, and that f writes the rows of its points (`rowsOf`) no more. */
  function agreeOn(value: number, ...points: Tall[]): number {
    if (!ranks) return value;
    ranks.same(value);
    settle(...points);
    return value;
  }
  function settle(...points: Tall[]): void {
    for (const X of points) for (const A of parts?.(X) ?? [X]) ranks?.settle(A);
  }

  /** Σ|x − y|, which is 0 only for x = y: a difference of doubles does not underflow to 0 */
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
    agreeOn(value, X, G);
    if (isFirst) {
      firstNorm = Math.sqrt(E.dot(G, G));
      first?.(G, firstNorm);
    }
    for (const see of watchers) see(G, X, value);
    return value;
  }

  const { hvp } = f;
  return {
    ...f,
    calls,
    get firstNorm() {
      return firstNorm;
    },
    f: (X) => agreeOn(f.f(X), X),
    fg,
    hvp:
      hvp &&
      ((H, X, D) => {
        hvp(H, X, D);
        if (ranks) settle(X, D, H);
      }),
    start(X, evaluate = (G) => fg(G, X)) {
      if (known?.X === X) return known;
      const G = E.tall(f.n, f.p);
      const value = evaluate(G);
      known = { X, f: value, G, ...cost! };
      return known;
    },
    take(X) {
      const reused = known?.X === X ? known : undefined;
      known = undefined;
      return reused;
    },
    forget() {
      known = undefined;
    },
    watch(see) {
      watchers = [...watchers, see];
      return () => {
        watchers = watchers.filter((other) => other !== see);
      };
    },
  };
}

export const isEvaluator = (f: Objective): f is Evaluator => "calls" in f && "take" in f;

/** f as an evaluator: itself where it is one */
export const evaluatorOf = (E: Engine, f: Objective): Evaluator => (isEvaluator(f) ? f : evaluator(E, f));
