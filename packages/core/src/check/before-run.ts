import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import type { SeenPoint } from "../contracts/step-comparison.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { describeTangentGradient } from "./along-manifold.js";
import { checkedStart } from "./contract.js";
import { findHessianMistake } from "./hessian.js";
import { nameGradientMistake, worstGradientEntry } from "./mistakes.js";
import { compareGradient } from "./quick.js";
import { describeEntry, type Suspect } from "./worst-entry.js";

/** A gradient, or a Hessian, that does not belong to f, found before or along the run; `suspect` is the entry that is furthest off. */
export class GradientError extends Error {
  override name = "GradientError";
  constructor(
    message: string,
    readonly suspect: Suspect,
  ) {
    super(message);
  }
}

/** Findings of the check that are no mistakes */
export interface GradientCheck {
  /** f or its gradient is not finite at X; the run ends with the same sentence */
  notFinite?: string;
  /** the gradient is ∇f on tangent vectors alone: methods that leave the manifold cannot use it */
  alongOnly?: string;
}

/**
 * Throws a GradientError if the gradient or the Hessian does not belong to f at X. Costs four or eight evaluations beside that of X if
 * the gradient is right, and two more if f has a Hessian; more if one is wrong, to find the entry and the mistake. `without`: the option
 * that leaves the check out.
 */
export function requireGradient(
  E: Engine,
  f: Objective,
  X: Tall,
  seed: number,
  without = "check: false",
  on: Constraint = stiefelConstraint(E, f.n, f.p),
): GradientCheck {
  const start = checkedStart(E, f, X);
  const check = requireGradientAt(E, f, start, seed, without, on);
  if (!check.notFinite) requireHessian(E, f, start, seed, without);
  return check;
}

/** The same of the gradient alone, at a point with known f and ∇f */
export function requireGradientAt(
  E: Engine,
  f: Objective,
  known: SeenPoint,
  seed: number,
  without: string,
  on: Constraint,
): GradientCheck {
  const verdict = compareGradient(E, f, known, seed);
  if (verdict.passed) return {};
  if (!Number.isFinite(verdict.given)) return { notFinite: verdict.text };
  const { X, G } = known;
  const alongOnly = describeTangentGradient(E, f, X, G, on, seed, verdict)?.text;
  if (alongOnly) return { alongOnly };
  const suspect = verdict.suspect ?? worstGradientEntry(E, f, X, G, seed);
  const mistake = verdict.suspect ? undefined : nameGradientMistake(E, f, X, G, seed);
  const why = mistake ? `; ${mistake.text}` : "";
  throw new GradientError(
    `the gradient does not belong to f: ${describeEntry(suspect)}${why} (${without} runs without this check).`,
    suspect,
  );
}

export function requireHessian(E: Engine, f: Objective, known: SeenPoint, seed: number, without: string): void {
  const mistake = findHessianMistake(E, f, known, seed);
  if (!mistake) return;
  const what = `the Hessian (hvp) does not belong to f: furthest off is ${mistake.text}`;
  throw new GradientError(`${what} (${without} runs without this check).`, mistake.suspect);
}
