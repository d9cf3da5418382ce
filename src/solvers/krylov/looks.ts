/** How far a run is, and when Ritz values of a growing space are looked at: to find them takes as long as several blocks. */

/** A space has grown by this part and by so many blocks; by another part at most, for rates say little. */
const [LOOK, LEAST] = [0.08, 4];
const LATEST = 0.25;
/** Of the columns that seem to be missing to convergence: it becomes faster on the way */
const HALFWAY = 0.5;
/** After random vectors the first look is when a space has grown by so many columns. */
export const FIRST_LOOK = 16;

/** Columns of a space of `size` until the next look; `multiplied`: columns so far in the whole run, when the gradient norm was `gnorm` */
export type NextLook = (size: number, multiplied: number, gnorm: number, target: number, random: boolean) => number;

/** By the rate of convergence since the last look */
export function looks(b: number): NextLook {
  let before = { multiplied: 0, gnorm: Number.NaN };
  return (size, multiplied, gnorm, target, random) => {
    const rate = Math.log(before.gnorm / gnorm) / (multiplied - before.multiplied);
    before = { multiplied, gnorm };
    const missing = rate > 0 ? (HALFWAY * Math.log(gnorm / target)) / rate : size;
    return Math.max(LEAST * b, LOOK * size, random ? 0 : Math.min(missing, LATEST * size));
  };
}

/**
 * How far the residuals of all wanted pairs are from the target, in powers of e. Pairs converge one after the other, so that the sum falls
 * by about the same in every space, while the largest stays where it is and falls at last.
 */
export const distance = (residuals: Float64Array, target: number): number =>
  residuals.reduce((sum, r) => sum + Math.max(0, Math.log(r / target)), 0);

/** How far a run was from the target when it had multiplied so many columns */
export interface Milestone {
  readonly multiplied: number;
  readonly distance: number;
}

/** Spaces of which the rate of convergence is taken */
const SPACES = 2;

/**
 * Columns that are left to be multiplied, at the rate of the last spaces or of the whole run, where that is better: convergence becomes
 * faster on the way, and further copies of a multiple eigenvalue, which rounding brings, begin with large residuals.
 */
export function columnsLeft(milestones: readonly Milestone[]): number {
  const now = milestones.at(-1)!;
  const rate = ({ multiplied, distance }: Milestone): number =>
    (distance - now.distance) / (now.multiplied - multiplied);
  const since = [milestones[0]!, milestones[Math.max(0, milestones.length - 1 - SPACES)]!];
  const fall = Math.max(...since.map(rate));
  return fall > 0 ? now.distance / fall : Number.POSITIVE_INFINITY;
}
