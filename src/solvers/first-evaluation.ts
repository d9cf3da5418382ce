import type { Engine, Objective, Tall } from "../types.js";

export interface FirstEvaluation {
  readonly gradient: Tall;
  /** in this process: flops of the products of the engine in f, and entries that its other operations went over */
  readonly multiplied: number;
  readonly passed: number;
  /** f; its first call of `fg`, which must be at X0, returns this evaluation */
  readonly f: Objective;
}

/** f at X0, and what that cost */
export function firstEvaluation(E: Engine, f: Objective, X0: Tall): FirstEvaluation {
  const gradient = E.tall(f.n, f.p);
  const { flops, entries } = E.counters;
  const value = f.fg(gradient, X0);
  const multiplied = E.counters.flops - flops;
  const passed = E.counters.entries - entries;
  let asked = false;
  const fg: Objective["fg"] = (G, X) => {
    if (asked) return f.fg(G, X);
    asked = true;
    if (G !== gradient) E.copy(G, gradient);
    return value;
  };
  return { gradient, multiplied, passed, f: { ...f, fg } };
}
