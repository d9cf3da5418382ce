import type { Objective, Solver, SolverOptions } from "@expen/core";
import { type CgRuleName, cg, cgRules, scipySearch, trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { geometryOf, type RiemannianOptions } from "./riemannian.js";
import { adaptive } from "./search/adaptive.js";

interface RcgOptions extends RiemannianOptions, Pick<SolverOptions, "precondition" | "watch" | "evaluations"> {
  rule: CgRuleName;
  search: "adaptive" | "wolfe";
}

/** In Pymanopt `hs` and `pr` are max(τ, 0), which is hs+ and pr+ here. */
const ruleOf = (rule: CgRuleName): CgRuleName => (rule === "hs" ? "hs+" : rule === "pr" ? "pr+" : rule);

/**
 * The conjugate gradients of Pymanopt [Boumal, Mishra, Absil, Sepulchre, J. Mach. Learn. Res. 15, 2014], with the two departures of
 * search/adaptive.ts and ‖tD‖ ≤ 10√p.
 */
export function rcg(E: Engine, f: Objective, X0: Tall, o: RcgOptions): Solver {
  const geometry = geometryOf(E, f, o);
  const method = cg(E, {
    rule: cgRules[ruleOf(o.rule)],
    search: o.search === "wolfe" ? scipySearch({ c2: 0.4 }) : adaptive(),
    stepCap: 10 * (o.on?.longestStep ?? Math.sqrt(f.p)),
    precondition: o.precondition,
    watch: o.watch,
  });
  return method(trialRay(E, f, geometry, X0, o.evaluations));
}
