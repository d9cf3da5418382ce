/** How far a run is from convergence, how many columns are left, and when the next projected eigenproblem is solved. */
import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";

/** A projected eigenproblem takes as long as several blocks: between two, a space grows by this part and by so many blocks, */
const [GROWN, BLOCKS] = [0.1, 4];
/** and by this part at most, for rates of convergence say little. */
const AT_MOST = 0.5;
/** Part of the columns that seem to be missing to convergence: it becomes faster on the way. */
const HALFWAY = 0.5;
/** Columns of a space begun by random vectors before its first projected eigenproblem */
export const FIRST_IN_ROUND = 16;

/** A space of `size` columns, of `multiplied` in the whole run, with this gradient norm */
interface Growth {
  readonly size: number;
  readonly multiplied: number;
  readonly gnorm: number;
}

/** Columns until the next projected eigenproblem, by the rate of convergence since the last one; `inRound`: no matter what that is */
export function solveSchedule(b: number): (now: Growth, target: number, inRound: boolean) => number {
  let last = { multiplied: 0, gnorm: Number.NaN };
  return ({ size, multiplied, gnorm }, target, inRound) => {
    const rate = Math.log(last.gnorm / gnorm) / (multiplied - last.multiplied);
    last = { multiplied, gnorm };
    const missing = rate > 0 ? (HALFWAY * Math.log(gnorm / target)) / rate : size;
    return Math.max(BLOCKS * b, GROWN * size, inRound ? 0 : Math.min(missing, AT_MOST * size));
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
 * the best that there will be for long: Ritz values come near to the ends of a spectrum at once. The same where the distance does not
 * fall, which is because of copies.
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

const randomResidual = (theta: Float64Array): number => DEVIATION * (theta.at(-1)! - theta[0]!);

/**
 * Columns that are left until all wanted pairs have residuals of this tolerance, after a first space that is small: its m columns have
 * brought the pairs that it knows a part of the way, in powers of e from the start, which summed up is that of c pairs; all p will have
 * converged after about m·p/c. (On twenty dense spectra with p from 5 to 200 that was right in the mean, 0.2 to 1.8 times; more where p
 * is beyond the rank.)
 */
export function columnsExpected({ theta, residual }: KrylovPairs, wanted: Pairing, tolerance: number): number {
  const [start, m] = [randomResidual(theta), theta.length];
  const norms = wanted.columnNorms(residual).map((norm) => Math.min(norm, start));
  const converged = norms.length - distance(norms, tolerance) / Math.log(start / tolerance);
  return (m * (wanted.low + wanted.high)) / converged - m;
}

/** The milestones of a run; `distanceOf`: of residuals from the target */
export function progressBy(distanceOf: (residuals: Float64Array) => number) {
  let milestones: Milestone[] = [];
  return {
    /** Columns that are left after a space, when so many were multiplied */
    columnsLeft({ theta, residual }: KrylovPairs, multiplied: number): number {
      if (milestones.length === 0) {
        milestones.push({ multiplied: 0, distance: distanceOf(residual.map(() => randomResidual(theta))) });
      }
      milestones.push({ multiplied, distance: distanceOf(residual) });
      return columnsLeft(milestones);
    },
    /** Spaces of another operator begin, from random vectors. */
    restart(multiplied: number): void {
      milestones = milestones.slice(0, 1).map(({ distance }) => ({ multiplied, distance }));
    },
  };
}
