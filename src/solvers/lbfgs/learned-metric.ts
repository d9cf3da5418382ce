import type { Constraint } from "../../constraints/constraint.js";
import type { StiefelGeometry } from "../../geometry/stiefel.js";
import type { Engine, Objective, Precondition } from "../../types.js";
import type { Pair } from "./first-matrix.js";
import { formMetric } from "./form-metric.js";
import { multiplierMetric } from "./multiplier-metric.js";

/** A preconditioner H ≈ (Hess f)⁻¹ on tangent spaces, right up to a factor, that a run learns on its way. */
export interface LearnedMetric {
  /** Z ← H·G */
  readonly apply: Precondition;
  /** To be called after each step, when the last gradient projected was that at its end. */
  learn(pair: Pair): void;
}

/**
 * The part of the pairs that the multiplier must explain beyond σI. Where it helps (eigenvalue problems, fourth moments) it
 * explains 0.6–1, where it does not (least squares, linear terms) mostly less than 0.1, and a metric that comes and goes costs
 * methods without memory many steps.
 */
const SHARE = 0.3;

/**
 * Metrics from the Lagrangian (Mishra and Sepulchre, SIAM J. Optim. 26, 2016), for methods on the Stiefel manifold. For quadratic forms
 * with a matrix C at the right: form-metric.ts. For any other f: (σI − τS)⁻¹ from the right (multiplier-metric.ts) where the multiplier
 * S explains enough of what was seen, I where it does not, after the weight of the part along X, G ↦ G + (4ρ − 1)·X·XᵀG, which makes
 * D_ρ of gradients (geometry/canonical.ts).
 */
export function learnedMetric(
  E: Engine,
  f: Objective,
  { S }: StiefelGeometry,
  rho = 1 / 4,
  on?: Constraint,
): LearnedMetric {
  const { n, p, quadratic } = f;
  if (quadratic?.C && !quadratic.L && (on?.traits.orthonormal ?? true)) {
    const { apply, learn } = formMetric(E, n, { ...quadratic, C: quadratic.C }, S);
    return { apply, learn: () => learn() };
  }
  const metric = multiplierMetric(E, n, p, S, { share: SHARE });
  const [N, NC] = [E.small(p, p), E.small(p, p)];
  const weight = 4 * rho - 1;
  return {
    apply(Z, X, G) {
      const { C } = metric;
      if (C) E.mul(Z, G, C);
      else E.copy(Z, G);
      if (weight === 0) return;
      E.tmul(N, X, G);
      if (C) E.mul(NC, N, C);
      E.mul(Z, X, C ? NC : N, weight, 1);
    },
    learn(pair) {
      if (pair.dy > 0) metric.learn(pair);
    },
  };
}
