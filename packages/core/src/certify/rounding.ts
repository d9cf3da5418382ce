/** Rounding that stands in the bounds (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 3 and 10). */
import { sumError } from "@expen/linalg/arrays";
import type { Measures } from "./measure.js";

export { gamma } from "@expen/linalg/arrays";

/**
 * An estimate of the rounding error of f(X) and ⟨∇f, Z − X⟩ for an f known by its values only: 8√(np)·ε·(|f| + √p‖∇f‖), as for sums of np
 * terms. It assumes that the evaluation of f is no worse than that.
 */
export function valueRounding({ fval, gradient }: Measures, n: number, p: number): number {
  return 8 * sumError(n * p) * (Math.abs(fval) + Math.sqrt(p) * gradient);
}
