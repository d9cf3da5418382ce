import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";

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
 * a multiple eigenvalue, which rounding brings, begin with large residuals. While there are few, at the rate since the start, which is
 * the best that there will be for long: Ritz values come near to the ends of a spectrum at once. So also where nothing else falls: that
 * is because copies came.
 */
export function columnsLeft(milestones: readonly Milestone[]): number {
  const now = milestones.at(-1)!;
  const rate = ({ multiplied, distance }: Milestone): number =>
    (distance - now.distance) / (now.multiplied - multiplied);
  const [start, first] = milestones as [Milestone, Milestone];
  const few = milestones.length <= 1 + SPACES;
  const recent = few ? 0 : Math.max(rate(first), rate(milestones.at(-1 - SPACES)!));
  const fall = recent > 0 ? recent : rate(start);
  return fall > 0 ? now.distance / fall : Number.POSITIVE_INFINITY;
}

/** Residual of a random vector, as a part of the spread of the spectrum: of numbers that fill an interval, their standard deviation */
const DEVIATION = Math.sqrt(1 / 12);

const atStart = (theta: Float64Array): number => DEVIATION * (theta.at(-1)! - theta[0]!);

/**
 * Columns that are left until all wanted pairs have residuals of this tolerance, after a first space that is small: its m columns have
 * brought the pairs that it knows a part of the way, in powers of e from the start, which summed up is that of c pairs; all p will be there
 * after about m·p/c. (On twenty dense spectra with p from 5 to 200 as many were there in the mean, 0.2 to 1.8 times; more where p is
 * beyond the rank.)
 */
export function columnsExpected({ theta, residual }: KrylovPairs, wanted: Pairing, tolerance: number): number {
  const [start, m] = [atStart(theta), theta.length];
  const known = wanted.columnNorms(residual).map((norm) => Math.min(norm, start));
  const come = known.length - distance(known, tolerance) / Math.log(start / tolerance);
  return (m * (wanted.low + wanted.high)) / come - m;
}

/** `reach`: the distance of these residuals from the target */
export function progressOf(reach: (residuals: Float64Array) => number) {
  let milestones: Milestone[] = [];
  return {
    /** Columns that are left after a space, when so many were multiplied */
    left({ theta, residual }: KrylovPairs, multiplied: number): number {
      const first = residual.map(() => atStart(theta));
      if (milestones.length === 0) milestones.push({ multiplied: 0, distance: reach(first) });
      milestones.push({ multiplied, distance: reach(residual) });
      return columnsLeft(milestones);
    },
    /** Spaces of another operator begin, from random vectors. */
    again(multiplied: number): void {
      milestones = milestones.slice(0, 1).map(({ distance }) => ({ multiplied, distance }));
    },
  };
}
