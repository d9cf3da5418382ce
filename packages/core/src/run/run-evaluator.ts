/** The evaluator of a run, which looks at the first gradient. */

import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { silentBlocks } from "../check/ignored-parts.js";
import type { StepComparison } from "../check/step-comparison.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import { leaves } from "../manifolds/view.js";
import { type Evaluator, evaluator } from "../objective/evaluator.js";

export interface RunEvaluator extends Evaluator {
  /** parts of a product whose first gradient is 0 */
  readonly silent: readonly string[];
  /** compares f with its gradient on the way */
  readonly comparison: StepComparison | undefined;
}

/** f with its calls counted in `calls` */
export function evaluatorOn(
  bound: Domain<View>,
  f: Objective,
  calls: Evaluations,
  comparison?: StepComparison,
): RunEvaluator {
  const silent: string[] = [];
  const first = (G: Tall, norm: number): void => {
    requireSquares(bound.E, G, norm);
    if (bound.on.traits.parts) silent.push(...silentBlocks(bound, G));
  };
  const parts = (X: Tall) => leaves(bound.view(X)).map(({ matrix }) => matrix);
  const F = evaluator(bound.E, f, { calls, parts, first });
  if (comparison) F.watch(comparison.see);
  return Object.assign(F, { silent, comparison });
}

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
