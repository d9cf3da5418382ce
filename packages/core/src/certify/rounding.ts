/** Rounding that stands in the bounds (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 3 and 10). */
import type { Measures } from "./measure.js";

const UNIT = 2 ** -53;

/** γ_k = ku/(1 − ku): the relative error of k operations */
export const gamma = (k: number): number => (k * UNIT) / (1 - k * UNIT);

/**
 * What rounding may have done to f(X) and ⟨∇f, Z − X⟩ of an f of which only its values are known: 16√(np)·u·(|f| + √p‖∇f‖). The factor
 * √(np) is what sums of np terms of random signs of error leave; f is taken to be no worse than that.
 */
export function valueRounding({ fval, gradient }: Measures, n: number, p: number): number {
  return 16 * Math.sqrt(n * p) * UNIT * (Math.abs(fval) + Math.sqrt(p) * gradient);
}
