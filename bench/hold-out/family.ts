/** A family of the hold-out: a seed draws its sizes and its numbers. */
import { type Random, random } from "@expen/linalg";
import type { Family } from "../any-f/family.js";
import type { Case } from "../any-f/instance.js";

type Range = readonly [number, number];

/** Ranges of n and of p, in which sizes are drawn with log-uniform chances; "square": p = n */
export interface SizeRange {
  readonly n: Range;
  readonly p: Range | "square";
}

export interface HoldOutFamily extends Omit<Family, "sizes"> {
  readonly ranges: readonly SizeRange[];
}

/** A number of the range, each ratio as likely as another */
export const between = ([least, most]: Range, r: Random): number => least * (most / least) ** r.uniform();

const size = (range: Range, r: Random): number => Math.round(between(range, r));

export const TALL: SizeRange = { n: [80, 400], p: [2, 12] };
export const WIDE: SizeRange = { n: [40, 120], p: [15, 35] };
export const SMALL_SQUARE: SizeRange = { n: [5, 14], p: "square" };
export const SQUARE: SizeRange = { n: [15, 40], p: "square" };

/** The cases of a seed: of each family one for each range of sizes */
export function casesOf(families: readonly HoldOutFamily[], seed: number): Case[] {
  return families.flatMap((family) => {
    const r = random(seed, `${family.name} sizes`);
    return family.ranges.map(({ n, p }): Case => {
      const rows = size(n, r);
      return { family: { ...family, sizes: [] }, n: rows, p: p === "square" ? rows : Math.min(size(p, r), rows), seed };
    });
  });
}
