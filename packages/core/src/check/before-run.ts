import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { evaluatorOf } from "../objective/evaluator.js";
import { rightAlongManifold } from "./along-manifold.js";
import { checkedGradient } from "./contract.js";
import { hessianMistake } from "./hessian.js";
import { nameGradientMistake, worstGradientEntry } from "./mistakes.js";
import { gradientAgrees } from "./quick.js";
import { blame, type Suspect } from "./worst-entry.js";

/** A gradient, or a Hessian, that does not belong to f, found before the run; `suspect` is the entry that is furthest off. */
export class GradientError extends Error {
  override name = "GradientError";
  constructor(
    message: string,
    readonly suspect: Suspect,
  ) {
    super(message);
  }
}

/** What the check has found that is no mistake */
export interface GradientCheck {
  /** f or its gradient is not finite at X, which the run says itself */
  notFinite?: string;
  /** the gradient is ∇f on tangent vectors alone: methods that leave the manifold cannot use it */
  alongOnly?: string;
}

/**
 * Four evaluations beside that of the start where the gradient is right, or eight, and five more where f has a Hessian; where it is wrong,
 * as many as it takes to say which entry is wrong and why.
 * `without`: how to run without this.
 */
export function requireGradient(
  E: Engine,
  f: Objective,
  X: Tall,
  seed: number,
  without = "check: false",
  on: Constraint = stiefelConstraint(E, f.n, f.p),
): GradientCheck {
  const known = evaluatorOf(E, f).start(X, (G) => checkedGradient(E, f, G, X));
  const verdict = gradientAgrees(E, f, known, seed);
  if (verdict.passed) {
    requireHessian(E, f, X, seed, without);
    return {};
  }
  if (!Number.isFinite(verdict.given)) return { notFinite: verdict.text };
  const { G } = known;
  const alongOnly = rightAlongManifold(E, f, X, G, on, seed)?.text;
  if (alongOnly) {
    requireHessian(E, f, X, seed, without);
    return { alongOnly };
  }
  const suspect = verdict.suspect ?? worstGradientEntry(E, f, X, G, seed);
  const mistake = verdict.suspect ? undefined : nameGradientMistake(E, f, X, G, seed);
  const why = mistake ? `; ${mistake.text}` : "";
  throw new GradientError(
    `the gradient does not belong to f: ${blame(suspect)}${why} (${without} runs without this check).`,
    suspect,
  );
}

function requireHessian(E: Engine, f: Objective, X: Tall, seed: number, without: string): void {
  const mistake = hessianMistake(E, f, X, seed);
  if (!mistake) return;
  const what = `the Hessian (hvp) does not belong to f: furthest off is ${mistake.text}`;
  throw new GradientError(`${what} (${without} runs without this check).`, mistake.suspect);
}
