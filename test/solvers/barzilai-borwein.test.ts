import { describe, expect, test } from "vitest";
import { euclidean } from "../../src/geometry/euclidean.js";
import { barzilaiBorwein, bbRules } from "../../src/solvers/barzilai-borwein/barzilai-borwein.js";
import { type BbSteps, fieldSteps, metricSteps } from "../../src/solvers/barzilai-borwein/bb-steps.js";
import type { LearnedMetric } from "../../src/solvers/lbfgs/learned-metric.js";
import { trialRay } from "../../src/solvers/ray.js";
import { js as E, normal, rayleigh } from "../functions.js";

describe("rules of Barzilai and Borwein", () => {
  test("alternating: odd iterations short", () => {
    const rule = bbRules.alternating();
    expect([1, 2, 3, 4].map((k) => rule(k, 10, 1))).toEqual([1, 10, 1, 10]);
  });

  test("sparing: a long one, then two short ones", () => {
    const rule = bbRules.sparing();
    expect([1, 2, 3, 4, 5, 6].map((k) => rule(k, 10, 1))).toEqual([1, 1, 10, 1, 1, 10]);
  });

  test("cyclic: long while long steps grow, then one long and two short of three, the smaller of the last two", () => {
    const rule = bbRules.cyclic();
    // three that do not grow (4 after 4, 3 after 4, 2 after 5) end the first part
    expect([1, 2, 4, 4, 3, 5].map((long, i) => rule(i + 1, long, 0.5))).toEqual([1, 2, 4, 4, 3, 5]);
    expect(rule(7, 2, 0.7)).toBe(0.5);
    expect(rule(8, 9, 0.6)).toBe(0.6);
    expect(rule(9, 9, 0.8)).toBe(9);
    expect(rule(10, 9, 0.9)).toBe(0.8);
  });

  test("two runs do not share what a rule remembers", () => {
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
        // a refused step is halved
        if (rule === "short") expect(ray.t).toBeGreaterThanOrEqual((1 - 1e-9) / 8);
      }
      last = s.gnorm;
      if (last < 1e-8 || s.k > 200) break;
    }
    expect(last).toBeLessThan(1e-8);
  });
});

describe("steps in a metric", () => {
  const [n, p] = [9, 2];
  const A = E.small(n, n);
  for (let i = 0; i < n; i++) A.data[i * (n + 1)] = 1 + i * i;
  const start = normal(E, n, p, 3);
  const ray = () => trialRay(E, rayleigh(E, A, p), euclidean(E), start);

  /** lengths after a step of 0.01 */
  function lengths(steps: BbSteps) {
    const r = ray();
    const dnorm = steps.direct(r, E.dot(r.G, r.G));
    expect(dnorm).toBeCloseTo(Math.sqrt(E.dot(r.D, r.D)), 12);
    expect(r.slope0).toBeCloseTo(E.dot(r.G, r.D), 9);
    r.begin();
    r.t = 0.01;
    r.move();
    steps.accept(r);
    return [steps.long, steps.short, steps.moved];
  }

  test("of the identity are those of the field", () => {
    const identity: LearnedMetric = { apply: (Z, _X, G) => E.copy(Z, G), learn() {} };
    const [expected, found] = [lengths(fieldSteps(E)), lengths(metricSteps(E, n, p, identity))];
    for (let i = 0; i < 3; i++) expect(found[i]! / expected[i]!).toBeCloseTo(1, 9);
  });

  test("of the inverse Hessian are both 1", () => {
    const inverse: LearnedMetric = {
      apply(Z, _X, G) {
        for (let i = 0; i < n * p; i++) Z.data[i] = G.data[i]! / A.data[Math.floor(i / p) * (n + 1)]!;
      },
      learn() {},
    };
    const [long, short] = lengths(metricSteps(E, n, p, inverse));
    expect(long).toBeCloseTo(1, 9);
    expect(short).toBeCloseTo(1, 9);
  });

  test("where curvature is negative both are twice the step", () => {
    const B = E.small(n, n);
    E.addDiagonal(B, -1);
    const r = trialRay(E, rayleigh(E, B, p), euclidean(E), start);
    const identity: LearnedMetric = {
      apply: (Z, _X, G) => E.copy(Z, G),
      learn: () => expect.fail("nothing is to be learned here"),
    };
    const steps = metricSteps(E, n, p, identity);
    steps.direct(r, E.dot(r.G, r.G));
    r.begin();
    r.t = 0.25;
    r.move();
    steps.accept(r);
    expect([steps.long, steps.short]).toEqual([0.5, 0.5]);
  });
});
