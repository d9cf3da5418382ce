/** Whether a vector may be missing among the wanted ones, and whether the Ritz values next to them say that none is. */
import type { Ends } from "./ends.js";
import type { Ritz } from "./projection.js";

/** A vector is missed with this probability, about */
const MISSED = 1e-6;
/** Ritz values that are nearer than so many residuals are never told apart */
const APART = 10;

/**
 * Whether b or more Ritz values from a wanted one on lie together. Of k ≤ b eigenvalues, however near to each other, a generic block of b
 * columns sees all vectors at once; of more it sees b mixtures. A mixture of eigenvalues δ apart has a residual of about δ·sin θ, θ its
 * angle to an eigenvector, so that all b columns have one below r with a probability of about (r/δ)ᵇ. With the largest of their residuals
 * as r, δ makes that MISSED; what is nearer than the tolerance ρ of a residual is together in any case.
 */
export function crowded({ theta, residual }: Ritz, ends: Ends, b: number, rho: number): boolean {
  const apart = Math.max(APART, MISSED ** (-1 / b));
  const last = theta.length - 1;
  const together = (i: number): boolean =>
    theta[i + b - 1]! - theta[i]! <= Math.max(rho, apart * Math.max(...residual.subarray(i, i + b)));
  for (let i = 0; i < ends.low; i++) if (i + b - 1 > last || together(i)) return true;
  for (let i = last; i > last - ends.high; i--) if (i - b + 1 < 0 || together(i - b + 1)) return true;
  return false;
}

/** Room that the next ones are given at each end */
export interface Slack {
  readonly below: number;
  readonly above: number;
}

/** A tenth of the distance from the last wanted Ritz value to the last of `low` and `high` kept ones, or of all: there may be no gap */
export function slackOf({ theta }: Ritz, ends: Ends, low: number, high: number): Slack {
  const last = theta.length - 1;
  return {
    below: 0.1 * (theta[Math.min(low, last)]! - theta[ends.low - 1]!),
    above: 0.1 * (theta[last - ends.high + 1]! - theta[Math.max(last - high, 0)]!),
  };
}

/**
 * The residuals of those of the `count` next Ritz values at each end that have not settled away from the wanted ones:
 * ten residuals reach there, and they are above the tolerance.
 */
export function unsettled(
  { theta, residual }: Ritz,
  ends: Ends,
  slack: Slack,
  count: number,
  tolerance: number,
): number[] {
  const last = theta.length - 1;
  const open: number[] = [];
  const look = (distance: number, r: number): void => {
    if (r > Math.max(distance / 10, tolerance)) open.push(r);
  };
  for (let i = 0; i < count; i++) {
    const [l, u] = [ends.low + i, last - ends.high - i];
    if (ends.low > 0) look(theta[l]! - theta[ends.low - 1]! + slack.below, residual[l]!);
    if (ends.high > 0) look(theta[last - ends.high + 1]! - theta[u]! + slack.above, residual[u]!);
  }
  return open;
}
