/** The check of a user's gradient, at the start and along the steps of a run. */

import { checkedStart, isTangent } from "../check/at-start.js";
import type { GradientCheck } from "../check/before-run.js";
import type { StepComparison } from "../check/step-comparison.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { ReasonKind } from "../contracts/method.js";
import type { Result } from "../contracts/result.js";
import type { RunEvaluator } from "./run-evaluator.js";

/** Suspicions that are looked into: an f that is noisy or not smooth raises them again and again. */
const MOST = 2;
/** Ends that a wrong gradient may be the reason of */
const FAILURES: readonly ReasonKind[] = ["search-failed", "unbounded", "diverged"];

interface Checked {
  readonly bound: Domain<View>;
  readonly F: RunEvaluator;
  readonly seed: number;
  /** the option that leaves the check out */
  readonly without: string;
}

/** The result of the check at the start, and whether differences of f were taken there */
interface Started {
  readonly found: GradientCheck;
  readonly isCompared: boolean;
}

/**
 * The contract of f and its gradient, at the first evaluation. Differences of f are taken where the steps of the run show too little: `full`,
 * or where the normal part of the gradient counts, by methods that leave the manifold (`stays` is false) and proofs by convexity, or
 * is missing; and of a declared form, whose methods may take no gradient.
 */
export async function checkAtStart(
  checked: Checked,
  comparison: StepComparison,
  X: Parameters<typeof checkedStart>[2],
  { full, stays }: { full: boolean; stays: boolean },
): Promise<Started> {
  const { bound, F, seed, without } = checked;
  const { E, on } = bound;
  const start = checkedStart(E, F, X);
  const hasNumbers = Number.isFinite(start.f + E.dot(start.G, start.G));
  const isEnough = hasNumbers && !full && stays && !F.convex && !F.quadratic && !isTangent(E, on, start);
  let found: GradientCheck = {};
  if (!isEnough || F.hvp || F.linearize) {
    const { requireGradientAt, requireHessian } = await import("../check/before-run.js");
    if (!isEnough) found = requireGradientAt(E, F, start, seed, without, on);
    if (!found.notFinite) requireHessian(E, F, X, seed, without);
  }
  comparison.begin(start);
  return { found, isCompared: !isEnough };
}

/** Takes differences of f where the comparisons of a run speak against the gradient, or where nothing was compared. */
export function stepCheck(
  { bound: { E, on }, F, seed, without }: Checked,
  comparison: StepComparison,
  isCompared: boolean,
) {
  let suspicions = 0;
  return {
    /** To be called after each state. */
    afterState: (): Promise<void> | undefined =>
      comparison.isSuspicious && suspicions < MOST ? takeDifferences() : undefined,
    /** To be called with the result. */
    async atEnd({ status }: Pick<Result, "status">): Promise<void> {
      const isOpen = comparison.isSuspicious && suspicions < MOST;
      const failed = FAILURES.some((kind) => kind === status);
      if (isOpen || failed || !(isCompared || comparison.hasCompared)) await takeDifferences();
    },
  };

  async function takeDifferences(): Promise<void> {
    suspicions++;
    const { requireGradientAt } = await import("../check/before-run.js");
    requireGradientAt(E, F, comparison.last!, seed, without, on);
    comparison.acquit();
  }
}
