import { euclideanGeometry as euclidean, trialRay } from "@expen/core/methods";
import { js as E, normal, rayleigh } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import { barzilaiBorwein, bbRules } from "../src/barzilai-borwein/barzilai-borwein.js";

describe("rules of Barzilai and Borwein", () => {
  test("alternating: the short step in odd iterations", () => {
    const rule = bbRules.alternating();
    expect([1, 2, 3, 4].map((k) => rule(k, 10, 1))).toEqual([1, 10, 1, 10]);
  });

  test("sparing: a long step, then two short ones", () => {
    const rule = bbRules.sparing();
    expect([1, 2, 3, 4, 5, 6].map((k) => rule(k, 10, 1))).toEqual([1, 1, 10, 1, 1, 10]);
  });

  test("cyclic: long until long steps fail to grow, then of three steps one long and two the smaller of the last two short lengths", () => {
    const rule = bbRules.cyclic();
    // the first phase ends after three lengths that do not grow (4 after 4, 3 after 4, 2 after 5)
    expect([1, 2, 4, 4, 3, 5].map((long, i) => rule(i + 1, long, 0.5))).toEqual([1, 2, 4, 4, 3, 5]);
    expect(rule(7, 2, 0.7)).toBe(0.5);
    expect(rule(8, 9, 0.6)).toBe(0.6);
    expect(rule(9, 9, 0.8)).toBe(9);
    expect(rule(10, 9, 0.9)).toBe(0.8);
  });

  test("each run has a rule with its own state", () => {
    const first = bbRules.cyclic();
    for (let k = 1; k < 9; k++) first(k, 1, 0.1);
    expect(first(10, 1, 0.1)).toBe(0.1);
    expect(bbRules.cyclic()(10, 1, 0.1)).toBe(1);
  });

  // ½⟨x, Ax⟩: both steps are inverse Rayleigh quotients of A, and short ≤ long by Cauchy and Schwarz
  test.each(Object.keys(bbRules) as (keyof typeof bbRules)[])("%s: steps stay between 1/λmax and 1/λmin", (rule) => {
    const A = E.small(8, 8);
    for (let i = 0; i < 8; i++) A.data[i * 9] = 1 + i;
    const ray = trialRay(E, rayleigh(E, A, 1), euclidean(E), normal(E, 8, 1, 1));
    let last = Number.POSITIVE_INFINITY;
    for (const s of barzilaiBorwein(E, { rule, first: () => 0.5 })(ray)) {
      if (s.k > 1) {
        expect(ray.t).toBeLessThanOrEqual(1 + 1e-9);
        // the search halves a step that it rejects
        if (rule === "short") expect(ray.t).toBeGreaterThanOrEqual((1 - 1e-9) / 8);
      }
      last = s.gnorm;
      if (last < 1e-8 || s.k > 200) break;
    }
    expect(last).toBeLessThan(1e-8);
  });
});
