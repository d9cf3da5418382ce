/** Roundoff in the bounds (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 3 and 10). */
import type { Measures } from "./measure.js";

const UNIT = 2 ** -53;

/** γ_k = ku/(1 − ku): the relative error of k operations */
export const gamma = (k: number): number => (k * UNIT) / (1 - k * UNIT);

/**
 * Roundoff of f(X) and ⟨∇f, Z − X⟩ for an f known by its values alone: 16√(np)·u·(|f| + √p‖∇f‖), on the assumption that f is no worse than
 * a sum of np terms with errors of random signs.
 */
export function valueRounding({ fval, gradient }: Measures, n: number, p: number): number {
  return 16 * Math.sqrt(n * p) * UNIT * (Math.abs(fval) + Math.sqrt(p) * gradient);
}
