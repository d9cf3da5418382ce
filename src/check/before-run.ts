import type { Constraint } from "../constraints/constraint.js";
import type { Engine, Objective, Tall } from "../types.js";
import { hessianMistake } from "./hessian.js";
import { nameGradientMistake, worstGradientEntry } from "./mistakes.js";
import { quickCheck } from "./quick.js";
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

/**
 * Five evaluations where the gradient is right, or nine, and five more where f has a Hessian; where it is not, as many as it takes to
 * say which entry is wrong and why.
 * Returns a sentence where f or its gradient is not finite at X, which the run says itself. `without`: how to run without this.
 */
export function requireGradient(
  E: Engine,
  f: Objective,
  X: Tall,
  seed: number,
  without = "check: false",
  on?: Constraint,
): string | undefined {
  const verdict = quickCheck(E, f, X, { seed });
  if (verdict.passed) {
    const mistake = hessianMistake(E, f, X, seed);
    if (!mistake) return undefined;
    const what = `the Hessian (hvp) does not belong to f: furthest off is ${mistake.text}`;
    throw new GradientError(`${what} (${without} runs without this check).`, mistake.suspect);
  }
  if (!Number.isFinite(verdict.given)) return verdict.text;
  const G = E.tall(f.n, f.p);
  f.fg(G, X);
  const suspect = verdict.suspect ?? worstGradientEntry(E, f, X, G, seed);
  const mistake = verdict.suspect ? undefined : nameGradientMistake(E, f, X, G, seed, on);
  const why = mistake ? `; ${mistake.text}` : "";
  throw new GradientError(
    `the gradient does not belong to f: ${blame(suspect)}${why} (${without} runs without this check).`,
    suspect,
  );
}
