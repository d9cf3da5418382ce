import { evaluator, fgOf } from "./objective.js";
import type { Engine, Objective } from "./types.js";

/** The same objective, and ‖∇f‖ where its gradient was asked for first: NaN before that. */
export function firstGradient(E: Engine, f: Objective): { f: Objective; norm(): number } {
  const evaluate = evaluator(f);
  let norm = Number.NaN;
  let seen = false;
  const fg = fgOf((G, X) => {
    const value = evaluate(G, X);
    if (!seen) {
      seen = true;
      norm = Math.sqrt(E.dot(G, G));
    }
    return value;
  });
  return { f: { ...f, fg }, norm: () => norm };
}
