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

/** The f to be checked, on its manifold */
interface Target {
  readonly bound: Domain<View>;
  readonly F: RunEvaluator;
  readonly seed: number;
  /** the option that leaves the check out */
  readonly without: string;
}

/** The result of the check at the start, and whether differences of f were taken there */
interface AtStart {
  readonly result: GradientCheck;
  readonly isCompared: boolean;
}

/**
 * The contract of f and its gradient, at the first evaluation. Differences of f are taken where `full` asks for them, where steps on the
 * manifold show too little, since the normal part of the gradient is missing or counts too, in methods that leave the manifold (`stays` is
 * false) and proofs by convexity, and where the methods for a declared form may take no gradient.
 */
export async function checkAtStart(
  target: Target,
  comparison: StepComparison,
  X: Parameters<typeof checkedStart>[2],
  { full, stays }: { full: boolean; stays: boolean },
): Promise<AtStart> {
  const { bound, F, seed, without } = target;
  const { E, on } = bound;
  const start = checkedStart(E, F, X);
  const hasNumbers = Number.isFinite(start.f + E.dot(start.G, start.G));
  const isEnough = hasNumbers && !full && stays && !F.convex && !F.quadratic && !isTangent(E, on, start);
  let result: GradientCheck = {};
  if (!isEnough || F.hvp || F.linearize) {
    const { requireGradientAt, requireHessian } = await import("../check/before-run.js");
    if (!isEnough) result = requireGradientAt(E, F, start, seed, without, on);
    if (!result.notFinite) requireHessian(E, F, start, seed, without);
  }
  comparison.begin(start);
  return { result, isCompared: !isEnough };
}

/** Takes differences of f where the comparisons of a run speak against the gradient, or where nothing was compared. */
export function stepCheck(
  { bound: { E, on }, F, seed, without }: Target,
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
      const hasFailed = FAILURES.some((kind) => kind === status);
      if (isOpen || hasFailed || !(isCompared || comparison.hasCompared)) await takeDifferences();
    },
  };

  async function takeDifferences(): Promise<void> {
    suspicions++;
    const { requireGradientAt } = await import("../check/before-run.js");
    requireGradientAt(E, F, comparison.last!, seed, without, on);
    comparison.acquit();
  }
}
