import type { StiefelGeometry } from "../geometry/stiefel.js";
import { Cell } from "../scalar.js";
import type { Engine, Matrix, Objective, Precondition } from "../types.js";
import { brockettMetric } from "./brockett-metric.js";
import { MultiplierMetric } from "./multiplier-metric.js";
import type { TrialRay } from "./ray.js";

/** A preconditioner H ≈ (Hess f)⁻¹ on tangent spaces, right up to a factor, that a run learns on its way. */
export interface LearnedMetric {
  /** Z ← H·G */
  readonly apply: Precondition;
  /** To be called when a search along `ray.D` has ended at the trial point, before that is accepted. */
  learn(ray: TrialRay): void;
}

/**
 * The part of the pairs that the multiplier must explain beyond σI. Where it helps (noeig, PCA, dictionary learning) it explains 0.6–1, where it does
 * not (procrustes, quadratic forms with a linear term) mostly less than 0.1, and a metric that comes and goes costs methods without memory many steps.
 */
const SHARE = 0.3;

/**
 * Metrics from the Lagrangian (Mishra and Sepulchre, SIAM J. Optim. 26, 2016), for methods on the Stiefel manifold. For quadratic forms with a matrix C at
 * the right: brockett-metric.ts. For any other f: (σI − τS)⁻¹ from the right (multiplier-metric.ts) where the multiplier S explains enough of what was
 * seen, I where it does not, after the weight of the part along X, G ↦ G + (4ρ − 1)·X·XᵀG, which makes D_ρ of gradients (geometry/canonical.ts).
 */
export function learnedMetric(E: Engine, f: Objective, { S }: StiefelGeometry, rho = 1 / 4): LearnedMetric {
  const { n, p, quadratic } = f;
  if (quadratic?.C && !quadratic.L) return brockettMetric(E, n, { ...quadratic, C: quadratic.C }, S);
  const metric = new MultiplierMetric(E, p, [E.matrix(n, p)], { share: SHARE });
  const [N, NC] = [E.matrix(p, p), E.matrix(p, p)];
  // each in one block
  const [d, g, gNew] = [{ blocks: [] as Matrix[] }, { blocks: [] as Matrix[] }, { blocks: [] as Matrix[] }];
  const weight = 4 * rho - 1;
  const [t, dd, dy] = [new Cell(), new Cell(), new Cell()];
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
    learn({ t: step, D, G, Gt }) {
      t.value = step;
      dy.value = E.inner(D, Gt).value;
      dy.value -= E.inner(D, G).value;
      if (!(dy.value > 0)) return;
      dd.value = E.inner(D, D).value;
      d.blocks[0] = D;
      g.blocks[0] = G;
      gNew.blocks[0] = Gt;
      metric.learn(S, t, d, dd, dy, g, gNew);
    },
  };
}
