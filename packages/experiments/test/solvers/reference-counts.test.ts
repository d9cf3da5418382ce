/** Rivals run as published: on the paper's cases they take about as many iterations as their authors' programs. */

import { referenceCounts } from "@expen/bench/reference-counts";
import type { StiefelOptions } from "@expen/core";
import { openEngine } from "@expen/engines";
import { drain } from "@expen/testing/contracts/solver";
import { expect, test } from "vitest";
import { brockett } from "../../src/paper/brockett.js";
import { noeig } from "../../src/paper/noeig.js";

const E = await openEngine("auto");
const seeds = [1, 2, 3, 4, 5].slice(0, process.env.EXPEN_LONG ? 5 : 3);

/** f* of noeig to the 7 digits that are known */
const sevenDigits = (optimum: string) => (fval: number) => expect(fval.toPrecision(7)).toBe(optimum);

const cases = [
  ["noeig (1000, 10)", 0, () => ({ ...noeig(E, { n: 1000, p: 10 }), judge: sevenDigits("35.70857") })],
  ["noeig (250, 50)", 1, () => ({ ...noeig(E, { n: 250, p: 50 }), judge: sevenDigits("2810.709") })],
  [
    "brockett (250, 50)",
    2,
    (seed: number) => {
      const { objective, optimum } = brockett(E, { n: 250, p: 50, seed });
      return { objective, judge: (fval: number) => expect(fval - optimum!).toBeLessThan(1e-3 * Math.abs(optimum!)) };
    },
  ],
] as const;

const rivals: [string, StiefelOptions][] = [
  ["wen-yin", { solver: "wen-yin" }],
  ["wen-yin --retraction qr", { solver: "wen-yin", retraction: "qr" }],
  ["jiang-dai", { solver: "jiang-dai" }],
  ["rcg", { solver: "rcg" }],
  ["rlbfgs", { solver: "rlbfgs" }],
];

test.each(cases.flatMap((each) => rivals.map((rival) => [each[0], ...rival, each[1], each[2]] as const)))(
  "%s, %s: the median of several starts is at least half of the reference and at most a quarter above it",
  async (_title, label, options, index, make) => {
    const reference = referenceCounts[label]![index]!.split("–").map(Number);
    const counts: number[] = [];
    for (const seed of seeds) {
      const { objective, judge } = make(seed);
      const r = await drain(E, objective, { ...options, seed, tol: 1e-3, certificate: "stationary" });
      expect(r.status).toBe("converged");
      judge(r.fval);
      counts.push(r.iterations);
    }
    const median = counts.sort((a, b) => a - b)[seeds.length >> 1];
    expect(median).toBeGreaterThanOrEqual(reference[0]! / 2);
    expect(median).toBeLessThanOrEqual(1.25 * reference.at(-1)!);
  },
);
