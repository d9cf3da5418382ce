import { quickCheck } from "../check.js";
import { digits } from "../numbers.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { nameGradientMistake, type Suspect, worstGradientEntry } from "./mistakes.js";

/** A gradient that does not belong to f, found before the run; `suspect` is the entry that is furthest off. */
export class GradientError extends Error {
  override name = "GradientError";
  constructor(
    message: string,
    readonly suspect: Suspect,
  ) {
    super(message);
  }
}

/** Three evaluations where the gradient is right; where it is not, as many as it takes to say which entry is wrong and why. */
export function requireGradient(E: Engine, f: Objective, X: Matrix, seed: number): void {
  const verdict = quickCheck(E, f, X, { seed });
  // what is not finite at the start is said by the run itself
  if (verdict.passed || !Number.isFinite(verdict.given + verdict.difference)) return;
  const G = E.matrix(f.n, f.p);
  f.fg(G, X);
  const suspect = worstGradientEntry(E, f, X, G, seed);
  const mistake = nameGradientMistake(E, f, X, G, seed);
  const { row, column, given, expected } = suspect;
  const where = `furthest off is entry (${row}, ${column}), ${digits(given, 6)} where differences of f give ${digits(expected, 6)}`;
  const why = mistake ? `; ${mistake.text}` : "";
  throw new GradientError(
    `the gradient does not belong to f: ${where}${why} (check: false runs without this check).`,
    suspect,
  );
}
