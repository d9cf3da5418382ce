/** Distance of a run from convergence, number of columns until then, and schedule of the projected eigenproblems. */
import type { Pairing } from "./pairing.js";
import type { KrylovPairs } from "./projection.js";

/** Least growth of a space between two projected eigenproblems, as a part of it and in blocks: one costs as much as several blocks. */
const [LEAST_GROWTH, LEAST_BLOCKS] = [0.1, 4];
/** Largest growth, as a part of the space: rates of convergence extrapolate badly. */
const MOST_GROWTH = 0.5;
/** Part of the extrapolated columns to convergence after which the next one is solved: convergence accelerates. */
const HALFWAY = 0.5;
/** Columns of a space begun by random vectors before its first projected eigenproblem */
export const FIRST_IN_ROUND = 16;

/** A space of `size` columns, after products with `multiplied` columns in the whole run */
interface Growth {
  readonly size: number;
  readonly multiplied: number;
  readonly gnorm: number;
}

/** Columns until the next projected eigenproblem, by the rate of convergence since the last one; without it `inRound` */
export function solveSchedule(b: number): (now: Growth, target: number, inRound: boolean) => number {
  let last = { multiplied: 0, gnorm: Number.NaN };
  return ({ size, multiplied, gnorm }, target, inRound) => {
    const rate = Math.log(last.gnorm / gnorm) / (multiplied - last.multiplied);
    last = { multiplied, gnorm };
    const missing = rate > 0 ? (HALFWAY * Math.log(gnorm / target)) / rate : size;
    return Math.max(LEAST_BLOCKS * b, LEAST_GROWTH * size, inRound ? 0 : Math.min(missing, MOST_GROWTH * size));
  };
}

/**
 * Σ max(0, log(r_i/target)) over the residuals of the wanted pairs. Pairs converge one after the other, so that this sum falls by about
 * the same amount in every space, while the largest residual falls last.
 */
export const distance = (residuals: Float64Array, target: number): number =>
  residuals.reduce((sum, r) => sum + Math.max(0, Math.log(r / target)), 0);

/** Distance of a run from the target after products with `multiplied` columns */
export interface Milestone {
  readonly multiplied: number;
  readonly distance: number;
}

/** Number of last spaces from which the rate of convergence is estimated */
const SPACES = 2;

/**
 * Remaining columns, at the rate of the last spaces or of all but the first, whichever is faster: further copies of a multiple
 * eigenvalue, brought in by rounding, begin with large residuals. With few milestones the rate since the start is taken, the fastest for
 * long, because Ritz values approach the ends of a spectrum at once; likewise if the distance does not fall, because of such copies.
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

/** Residual of a random vector over λmax − λmin: the standard deviation of the uniform distribution on an interval of length 1 */
const DEVIATION = Math.sqrt(1 / 12);

const randomResidual = (theta: Float64Array): number => DEVIATION * (theta.at(-1)! - theta[0]!);

/**
 * Remaining columns until the residuals of all wanted pairs are within the tolerance, after a small first space: its m columns have
 * reduced the logarithms of the residuals by as much as c converged pairs would take; all p converge after about m·p/c columns. (On
 * twenty dense spectra with p from 5 to 200 the ratio to the true number was 1 in the mean, 0.2 to 1.8; higher if p exceeds the rank.)
 */
export function columnsExpected({ theta, residual }: KrylovPairs, eigenvalues: Pairing, tolerance: number): number {
  const [start, m] = [randomResidual(theta), theta.length];
  const norms = eigenvalues.columnNorms(residual).map((norm) => Math.min(norm, start));
  const converged = norms.length - distance(norms, tolerance) / Math.log(start / tolerance);
  return (m * (eigenvalues.low + eigenvalues.high)) / converged - m;
}

/** The milestones of a run; `distanceOf` is the distance of residuals from the target */
export function progressBy(distanceOf: (residuals: Float64Array) => number) {
  let milestones: Milestone[] = [];
  return {
    /** Remaining columns after a space, `multiplied` so far */
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
