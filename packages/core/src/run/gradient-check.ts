/** The check of a user's gradient, at the start and along the steps of a run. */

import type { GradientCheck } from "../check/before-run.js";
import { checkedStart } from "../check/contract.js";
import { stepComparison } from "../check/step-comparison.js";
import type { Evaluated } from "../contracts/evaluator.js";
import type { ReasonKind } from "../contracts/method.js";
import type { Result } from "../contracts/result.js";
import type { Solvers } from "../contracts/solver.js";
import type { StepComparison } from "../contracts/step-comparison.js";
import type { Imports } from "./imports.js";
import type { Run } from "./run.js";
import type { StartCheck } from "./solving.js";

/** Suspicions that are looked into: an f that is noisy or not smooth raises them again and again. */
const MOST = 2;
/** Ends that a wrong gradient may be the reason of */
const FAILURES: readonly ReasonKind[] = ["search-failed", "unbounded", "diverged"];
/** ‖S‖/‖∇f‖ below which a gradient has no normal part */
const TANGENT = 1e-6;

interface AlongSteps {
  /** To be called after each state. */
  afterState(): Promise<void> | undefined;
  /** To be called with the result. */
  atEnd(result: Pick<Result, "status">): Promise<void>;
}

/**
 * The contract of f and its gradient at the start of the run, and the declared form there; returns the check along the steps. Differences
 * of f are taken at the start where `gradient` is "full", where steps on the manifold show too little, since the normal part of the
 * gradient is missing or counts too, in methods that leave the manifold and proofs by convexity, and where the methods for a declared form
 * may take no gradient.
 */
export async function checkStart(
  run: Run,
  solvers: Solvers,
  { solver, newton }: Imports,
  { gradient, forms, finite, without = "check: false" }: StartCheck,
): Promise<AlongSteps | undefined> {
  const { E, on, F, X, seed } = run;
  let along: AlongSteps | undefined;
  if (gradient) {
    const comparison = stepComparison(E, on);
    F.watch(comparison.see);
    const start = checkedStart(E, F, X);
    const stays = solver.isFeasible && !newton;
    const hasNumbers = Number.isFinite(start.f + E.dot(start.G, start.G));
    const isEnough = hasNumbers && gradient !== "full" && stays && !F.convex && !F.quadratic && !isTangent(run, start);
    let check: GradientCheck = {};
    if (!isEnough || F.hvp || F.linearize) {
      const { requireGradientAt, requireHessian } = await import("../check/before-run.js");
      if (!isEnough) check = requireGradientAt(E, F, start, seed, without, on);
      if (!check.notFinite) requireHessian(E, F, start, seed, without);
    }
    if (finite && check.notFinite) throw new RangeError(`${check.notFinite} (${without} runs without this check).`);
    comparison.begin(start);
    run.comparison = comparison;
    if (check.alongOnly) (await import("./along-only.js")).stayOnManifold(run, solvers, check.alongOnly);
    else along = alongSteps(run, comparison, without, !isEnough);
  }
  if (forms) (await import("../check/forms.js")).requireForms(E, F, X, without);
  return along;
}

/** Is ∇f its own tangent part, as a Riemannian gradient is? Of no constraint all are. */
function isTangent({ E, on, x }: Run, { G }: Evaluated): boolean {
  if (on.traits.coordinates === "free") return false;
  const { n, p } = on.shape;
  const [R, S] = [E.tall(n, p), E.small(p, p)];
  E.copy(R, G);
  on.update(x);
  on.dissolver.tangent(R, x, S);
  return Math.sqrt(E.dot(S, S)) <= TANGENT * Math.sqrt(E.dot(G, G));
}

/** Takes differences of f where the comparisons of a run speak against the gradient, or where nothing was compared. */
function alongSteps(
  { E, on, F, seed }: Run,
  comparison: StepComparison,
  without: string,
  isCompared: boolean,
): AlongSteps {
  let suspicions = 0;
  return {
    afterState: () => (comparison.isSuspicious && suspicions < MOST ? takeDifferences() : undefined),
    async atEnd({ status }) {
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
