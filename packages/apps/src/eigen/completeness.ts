/** Whether eigenvalues are missing: those of the pencil in an interval are counted and compared with the ones found. */
import type { Enclosures } from "./enclosures.js";

/** Counts eigenvalues: exact for eigenvalues that are moved by at most `error`; undefined if the count fails */
export interface Counter {
  below(x: number): { readonly count: number; readonly error: number } | undefined;
  /** of all eigenvalues */
  readonly total: number;
  /** the method, in words */
  readonly how: string;
}

/** The wanted end of the spectrum, or the place whose nearest eigenvalues are wanted */
export type Target =
  | { readonly which: "smallest" | "largest"; readonly sigma?: undefined }
  | { readonly which: "nearest"; readonly sigma: number };

/** All eigenvalues in the open interval were found, `count` of them. */
export interface Complete {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Distance from the wanted place: the p values with the least of it are the answer. */
export function distanceTo(target: Target): (value: number) => number {
  const { sigma } = target;
  if (sigma !== undefined) return (value) => Math.abs(value - sigma);
  return target.which === "smallest" ? (value) => value : (value) => -value;
}

/** The values at a distance below t */
function intervalTo(target: Target, t: number): { from: number; to: number } {
  if (target.which === "smallest") return { from: Number.NEGATIVE_INFINITY, to: t };
  if (target.which === "largest") return { from: -t, to: Number.POSITIVE_INFINITY };
  const { sigma } = target as { sigma: number };
  return { from: sigma - t, to: sigma + t };
}

/** Factors by which the margin at the end of the interval grows from trial to trial */
const MARGINS = [4, 1e3, 1e6];
/** Margin at the eigenvalues of a zero matrix, whose roundoff is 0 */
const LEAST_STEP = 2 ** -500;

/**
 * The interval from the wanted place that is shown to be complete, up to just beyond value p, or else to just below the values that
 * cannot be told from it; or the reason why there is none. Enclosures at a distance below t lie in the interval, with as many eigenvalues
 * as they are; if it has no more of them, none is missing. `found`: all enclosures, of which the p nearest are the answer.
 */
export function completeness(
  counter: Counter,
  target: Target,
  { theta, radius }: Enclosures,
  p: number,
  scale: number,
): Complete | string {
  const distance = distanceTo(target);
  const values = Array.from(theta, (value, j) => ({ t: distance(value), r: radius[j]! })).sort((a, b) => a.t - b.t);
  /** between the enclosures of value c and of the next one */
  const room = (c: number): number => {
    const [last, next] = [values[c - 1], values[c]];
    return last && next ? next.t - next.r - (last.t + last.r) : Number.POSITIVE_INFINITY;
  };
  let reason = "";
  let below = p - 1;
  while (!(room(below) > 0)) below--;
  const beyond = room(p) > 0 ? tried(p) : undefined;
  return beyond ?? tried(below) ?? reason;

  function tried(c: number): Complete | undefined {
    const near = values[c === p ? c - 1 : c]!;
    for (const margin of MARGINS) {
      const step = Math.min(margin * (near.r + Number.EPSILON * scale) + LEAST_STEP, room(c) / 2);
      const t = c === p ? near.t + near.r + step : near.t - near.r - step;
      const { from, to } = intervalTo(target, t);
      // nothing is nearer to σ than σ itself
      if (!(from < to)) return { from: target.sigma!, to: target.sigma!, count: 0 };
      const [low, high] = [count(from), count(to)];
      if (!low || !high || !(Math.max(low.error, high.error) < step)) {
        reason ||= `the roundoff of ${counter.how} is too large`;
        continue;
      }
      const inside = Math.max(0, high.count - low.count);
      if (inside === c) return { from: from + low.error, to: to - high.error, count: c };
      reason = `${inside} eigenvalues were counted where the answer has ${c}`;
    }
    return undefined;
  }

  function count(x: number): { readonly count: number; readonly error: number } | undefined {
    if (Number.isFinite(x)) return counter.below(x);
    return { count: x < 0 ? 0 : counter.total, error: 0 };
  }
}
