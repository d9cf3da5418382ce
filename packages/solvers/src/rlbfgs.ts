import type { Objective, Solver, SolverOptions } from "@expen/core";
import { lbfgs, scaledPreconditioner, trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { geometryOf, type RiemannianOptions } from "./riemannian.js";

interface RlbfgsOptions extends RiemannianOptions, Pick<SolverOptions, "precondition" | "watch" | "evaluations"> {
  memory: number;
}

/**
 * Riemannian BFGS with limited memory and cautious updates [Huang, Absil, Gallivan, SIAM J. Optim. 28, 2018]. A departure: the step is
 * that of the Hager–Zhang search, with ‖tD‖ ≤ √p.
 */
export function rlbfgs(E: Engine, f: Objective, X0: Tall, o: RlbfgsOptions): Solver {
  const geometry = geometryOf(E, f, o);
  const method = lbfgs(E, f.n, f.p, {
    caution: 1e-4,
    stepCap: o.on?.longestStep ?? Math.sqrt(f.p),
    memory: o.memory,
    first: o.precondition && scaledPreconditioner(E, f.n, f.p, geometry, o.precondition, { watch: o.watch }),
  });
  return method(trialRay(E, f, geometry, X0, o.evaluations));
}
