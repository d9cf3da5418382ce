/** The problems of `minimizeMany`: the item that f gets in each, their seeds and starts. */

import { described, shown } from "@expen/linalg";
import type { PointLike, View } from "../contracts/manifold.js";
import { isFormula } from "../objective/objective.js";

/** Problem k of many */
export interface Problem<P extends View, T> {
  readonly k: number;
  readonly item: T;
  readonly seed: number;
  readonly start?: PointLike<P> | undefined;
}

/** The problems are given by exactly one of these. */
export interface ProblemList<P extends View, T> {
  /** an item for each problem */
  data?: readonly T[];
  /** the number of problems; the item of each is its number, from 0 */
  count?: number;
  /** one f from many starts: the number of random ones, or the points */
  starts?: number | readonly PointLike<P>[];
}

const ONE_OF_THREE =
  "give one of data (an item for each problem), count (the number of problems) and starts (one f from many starts)";

/** The problems in order. All items have the same seed, as separate runs have by default; start k has seed + k. */
export function problemsOf<P extends View, T>(
  f: unknown,
  { data, count, starts, start, seed = 1 }: ProblemList<P, T> & { start?: PointLike<P>; seed?: number },
): Problem<P, T>[] {
  const names = Object.entries({ data, count, starts }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length !== 1) {
    const has = names.length === 0 ? "none of them is there" : `${names.join(" and ")} are there`;
    throw new RangeError(`minimizeMany: ${ONE_OF_THREE}; ${has}.`);
  }
  if (starts !== undefined) {
    if (start !== undefined)
      throw new RangeError("minimizeMany: start is given beside starts; put it among the starts.");
    const points = Array.isArray(starts) ? starts : new Array(requireCount("starts", starts)).fill(undefined);
    return points.map((point, k) => ({ k, item: k as T, seed: seed + k, start: point }));
  }
  if (typeof f !== "function" && !(isFormula(f) && f.hasItem)) {
    throw new TypeError(
      `minimizeMany: f does not depend on an item, and all problems of ${names[0]} would be the same; ` +
        "give formula((X, item) => …) or (item, k, E) => ({ f, grad }), or starts.",
    );
  }
  if (data !== undefined && !Array.isArray(data)) {
    throw new TypeError(`minimizeMany: data is ${described(data)}; give an array with an item for each problem.`);
  }
  const items = data ?? Array.from({ length: requireCount("count", count) }, (_, k) => k as T);
  return items.map((item, k) => ({ k, item, seed, start }));
}

function requireCount(name: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw new RangeError(`minimizeMany: ${name} is ${shown(value)}; it must be a whole number, 1 or more.`);
}
