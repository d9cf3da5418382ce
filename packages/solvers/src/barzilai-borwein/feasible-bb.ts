import type { Evaluations, Objective, Solver } from "@expen/core";
import { trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { weightedStiefel } from "../curves/canonical.js";
import type { RetractionName } from "../curves/retraction-names.js";
import { retractions } from "../curves/retractions.js";
import { type BbOptions, barzilaiBorwein } from "./barzilai-borwein.js";
import { fieldSteps } from "./bb-steps.js";

export interface FeasibleBbOptions {
  evaluations?: Evaluations;
}

/**
 * Alternating Barzilai–Borwein steps along curves on the manifold with Y'(0) = −D_ρ: the common part of [Wen, Yin 2013] and
 * [Jiang, Dai 2015]. `own` has the options in which they differ.
 */
export function feasibleBb(
  E: Engine,
  f: Objective,
  X0: Tall,
  { retraction, rho = 1 / 2, evaluations }: FeasibleBbOptions & { retraction: RetractionName; rho?: number },
  own: BbOptions,
): Solver {
  const { n, p } = f;
  const geometry = weightedStiefel(E, p, retractions[retraction](E, n, p), rho);
  const method = barzilaiBorwein(E, {
    ...own,
    rule: "alternating",
    limit: (dnorm) => 1e3 / dnorm,
    stateNorm: geometry.euclideanNorm,
    steps: fieldSteps(E, geometry.rate),
  });
  return method(trialRay(E, f, geometry, X0, evaluations));
}
