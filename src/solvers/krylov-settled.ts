/** Whether the Ritz values next to the wanted ones stand so that nothing is missing between them. */
import type { Ends } from "./krylov-ends.js";
import type { Ritz } from "./krylov-projection.js";

/** Room that the next ones are given at each end */
export interface Slack {
  readonly below: number;
  readonly above: number;
}

/** A tenth of the distance from the last wanted Ritz value to the last of `low` and `high` kept ones: there may be no gap at all */
export function slackOf({ theta }: Ritz, ends: Ends, low: number, high: number): Slack {
  const last = theta.length - 1;
  return {
    below: 0.1 * (theta[low]! - theta[ends.low - 1]!),
    above: 0.1 * (theta[last - ends.high + 1]! - theta[last - high]!),
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
