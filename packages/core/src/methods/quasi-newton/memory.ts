/** Number of curvature pairs. A pair costs 8np flops an iteration; twenty took 2 % more evaluations (docs/decisions/0019). */
const PAIRS = { least: 3, most: 30 };
/** Pairs of a block update at most: older ones belong to another Hessian of f, and are better taken one by one. */
export const BLOCK = 8;
/** Numbers in all pairs at most: a gigabyte */
const NUMBERS = 2 ** 27;

/** The usual number of curvature pairs of points of so many numbers */
export function usualMemory(numbers: number): number {
  return Math.min(Math.max(Math.floor(NUMBERS / (2 * numbers)), PAIRS.least), PAIRS.most);
}
