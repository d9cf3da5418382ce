/** All calls of a user's functions in a run: counted, known at the start, and shown to observers. */

import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { isSame } from "@expen/linalg/engine";
import type { Evaluated, Evaluator, See } from "../contracts/evaluator.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { agreedByProcesses, type MatricesOf } from "./agreed-by-processes.js";
import { countedDerivatives } from "./counted-derivatives.js";

/** f with its calls counted in `calls`; `matricesOf`: those of a point that f writes */
export function evaluator(
  E: Engine,
  user: Objective,
  calls: Evaluations = noEvaluations(),
  matricesOf?: MatricesOf,
): Evaluator {
  const f = counted(E.ranks ? agreedByProcesses(E.ranks, user, matricesOf) : user, calls);
  let cost: Pick<Evaluated, "flops" | "entries"> | undefined;
  let known: Evaluated | undefined;
  let watchers: readonly See[] = [];
  const F = { ...f, calls, firstNorm: Number.NaN, fg, start, take, forget, watch };
  return F;

  function fg(G: Tall, X: Tall): number {
    if (known && (X === known.X || isSame(E, X, known.X))) {
      if (G !== known.G) E.copy(G, known.G);
      return known.f;
    }
    const { flops, entries } = E.counters;
    const value = f.fg(G, X);
    if (!cost) {
      cost = { flops: E.counters.flops - flops, entries: E.counters.entries - entries };
      F.firstNorm = Math.sqrt(E.dot(G, G));
      requireSquares(E, G, F.firstNorm);
    }
    for (const see of watchers) see(G, X, value);
    return value;
  }

  function start(X: Tall, evaluate = (G: Tall) => fg(G, X)): Evaluated {
    if (known?.X === X) return known;
    const G = E.tall(f.n, f.p);
    const value = evaluate(G);
    known = { X, f: value, G, ...cost! };
    return known;
  }

  function take(X: Tall): Evaluated | undefined {
    const taken = known?.X === X ? known : undefined;
    forget();
    return taken;
  }

  function forget(): void {
    known = undefined;
  }

  function watch(see: See): () => void {
    watchers = [...watchers, see];
    return () => {
      watchers = watchers.filter((other) => other !== see);
    };
  }
}

const isEvaluator = (f: Objective): f is Evaluator => "calls" in f && "take" in f;

/** f as an evaluator: itself where it is one */
export const evaluatorOf = (E: Engine, f: Objective): Evaluator => (isEvaluator(f) ? f : evaluator(E, f));

/** Throws a RangeError where squares of the gradient's entries under- or overflow, so that its norm has no digits. */
function requireSquares(E: Engine, G: Tall, norm: number): void {
  if (norm > 1e-140 && norm < 1e140) return;
  let largest = 0;
  for (const g of E.read(G)) largest = Math.max(largest, Math.abs(g));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return;
  throw new RangeError(
    `the largest entry of the gradient is ${digits(largest)}, whose square under- or overflows; scale f.`,
  );
}

export const noEvaluations = (): Evaluations => ({ f: 0, grad: 0, hvp: 0 });

/** The same objective, its calls counted in `count` */
export function counted(f: Objective, count: Evaluations): Objective {
  return {
    ...f,
    f(X) {
      count.f++;
      if (f.valueByGradient) count.grad++;
      return f.f(X);
    },
    fg(G, X) {
      count.f++;
      count.grad++;
      return f.fg(G, X);
    },
    ...((f.hvp || f.linearize || f.quadratic) && countedDerivatives(f, count)),
  };
}
