/** Roundoff in the bounds (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 3 and 10). */
import { sumError } from "@expen/linalg/arrays";
import type { Measures } from "../contracts/measures.js";

export { gamma } from "@expen/linalg/arrays";

/**
 * Roundoff of f(X) and ⟨∇f, Z − X⟩ for an f known by its values alone: 8√(np)·ε·(|f| + √p‖∇f‖), on the assumption that f is no worse than
 * a sum of np terms with errors of random signs.
 */
export function valueRounding({ fval, gradient }: Measures, n: number, p: number): number {
  return 8 * sumError(n * p) * (Math.abs(fval) + Math.sqrt(p) * gradient);
}
