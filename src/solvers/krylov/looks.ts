import type { Ritz } from "./projection.js";

/** How far a run is, and when Ritz values of a growing space are looked at: to find them takes as long as several blocks. */

/** A space has grown by this part and by so many blocks; by another part at most, for rates say little. */
const [LOOK, LEAST] = [0.1, 4];
const LATEST = 0.5;
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
 * Columns that are left to be multiplied, at the rate of the last spaces or of all but the first, where that is better: further copies of
 * a multiple eigenvalue, which rounding brings, begin with large residuals. In the first space, at the rate since the start: while pairs
 * come near to the ends of a spectrum it is about the mean rate of a whole run (spectra of many kinds, from 16 columns on).
 */
export function columnsLeft(milestones: readonly Milestone[]): number {
  const now = milestones.at(-1)!;
  const rate = ({ multiplied, distance }: Milestone): number =>
    (distance - now.distance) / (now.multiplied - multiplied);
  const [start, ...spaces] = milestones as [Milestone, Milestone];
  const [first, last] = [spaces[0], spaces.at(-1 - SPACES)];
  const fall = first === now ? rate(start) : Math.max(rate(first), last ? rate(last) : 0);
  return fall <= 0 ? Number.POSITIVE_INFINITY : now.distance / fall;
}

/** Residual of a random vector, as a part of the spread of the spectrum: of numbers that fill an interval, their standard deviation */
const DEVIATION = Math.sqrt(1 / 12);

/** `reach`: the distance of these residuals, p or more, from the target */
export function progressOf(p: number, reach: (residuals: Float64Array) => number) {
  let start: Milestone | undefined;
  let spaces: Milestone[] = [];
  return {
    /** Columns that are left after a full space, or a part of one, when so many were multiplied */
    left({ theta, residual }: Ritz, multiplied: number, full: boolean): number {
      const residuals = new Float64Array(Math.max(p, residual.length)).fill(DEVIATION * (theta.at(-1)! - theta[0]!));
      start ??= { multiplied: 0, distance: reach(residuals) };
      residuals.set(residual);
      const reached = [...spaces, { multiplied, distance: reach(residuals) }];
      if (full) spaces = reached;
      return columnsLeft([start, ...reached]);
    },
    /** Spaces of another operator begin, from random vectors. */
    again(multiplied: number): void {
      if (start) start = { ...start, multiplied };
      spaces = [];
    },
  };
}
