import type { Constraint } from "../../contracts/constraint.js";

/** Memory m = 8000/(np), within 3 … 20: a pair costs 4np flops an iteration, and more of them save evaluations in long runs. */
const PAIRS = { least: 3, most: 20 };
const NUMBERS = 8000;
/**
 * Only the pairs learn the coupling of the parts of a product (singular vectors as f(U, V): a fifth fewer evaluations), and beside
 * products of complex matrices pairs cost little (a seventh fewer on Hermitian eigenvalues).
 */
export const MORE_PAIRS = 10;

/** Pairs of the default, where the user sets no number */
export function usualMemory({ shape: { n, p }, traits }: Constraint): number {
  const least = traits.parts || (traits.coordinates === "basis" && !traits.orthonormal) ? MORE_PAIRS : PAIRS.least;
  return Math.min(Math.max(Math.round(NUMBERS / (n * p)), least), PAIRS.most);
}
