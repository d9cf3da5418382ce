import { weightedStiefel } from "../../geometry/canonical.js";
import { stiefel } from "../../geometry/stiefel.js";
import type { Engine, Evaluations, Objective, Solver, Tall } from "../../types.js";
import { type RetractionName, retractions } from "../curves.js";
import { learnedMetric } from "../lbfgs/learned-metric.js";
import { trialRay } from "../ray.js";
import { type BbOptions, barzilaiBorwein } from "./barzilai-borwein.js";
import { fieldSteps, metricSteps } from "./bb-steps.js";

/** metric: along −H·grad f in a metric that is learned; plain: along −D_ρ, with long and short steps in turn, as in the papers */
export const feasibleBbVariants = ["metric", "plain"] as const;
export type FeasibleBbVariant = (typeof feasibleBbVariants)[number];

export interface FeasibleBbOptions {
  variant?: FeasibleBbVariant;
  evaluations?: Evaluations;
}

/**
 * Barzilai–Borwein steps along curves on the manifold, with what is common to [Wen, Yin 2013] and [Jiang, Dai 2015];
 * the rest is in `own`.
 */
export function feasibleBb(
  E: Engine,
  f: Objective,
  X0: Tall,
  {
    variant = "metric",
    retraction,
    rho = 1 / 2,
    evaluations,
  }: FeasibleBbOptions & { retraction: RetractionName; rho?: number },
  own: BbOptions,
): Solver {
  const { n, p } = f;
  const retract = retractions[retraction](E, n, p);
  if (variant === "metric") {
    const geometry = stiefel(E, n, p, { retract });
    return barzilaiBorwein(E, {
      ...own,
      rule: "sparing",
      limit: (dnorm) => Math.sqrt(p) / dnorm,
      steps: metricSteps(E, n, p, learnedMetric(E, f, geometry, rho)),
    })(trialRay(E, f, geometry, X0, evaluations));
  }
  const geometry = weightedStiefel(E, n, p, retract, rho);
  return barzilaiBorwein(E, {
    ...own,
    rule: "alternating",
    limit: (dnorm) => 1e3 / dnorm,
    shown: geometry.euclideanNorm,
    steps: fieldSteps(E, geometry.rate),
  })(trialRay(E, f, geometry, X0, evaluations));
}
