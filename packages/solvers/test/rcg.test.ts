import type { Objective, Ray } from "@expen/core";
import { objective } from "@expen/core";
import { brockett } from "@expen/experiments/paper";
import { random, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { stepFrom } from "@expen/testing/contracts/search";
import { drain, solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { adaptive } from "../src/search/adaptive.js";
import { daiZhang } from "../src/search/dai-zhang.js";
import { tolerant } from "../src/search/tolerant.js";

solverContract("rcg");
solverContract("rcg", { search: "wolfe" });
solverContract("rlbfgs");

describe("rcg", () => {
  test.each(["hs", "fr", "pr", "hz"] as const)("the rule %s reaches the minimum with each retraction", async (rule) => {
    const E = jsEngine();
    const { objective, optimum } = brockett(E, { n: 18, p: 3 });
    for (const retraction of ["qr", "cholesky-qr", "polar", "cayley", "exponential"] as const) {
      const r = await drain(E, objective, { solver: "rcg", rule, retraction, optimum, tol: 1e-6 });
      expect([retraction, r.status]).toEqual([retraction, "converged"]);
      expect(r.gap).toBeLessThan(1e-9);
    }
  });
});

/** a ray for φ that records its trials */
function scalar(phi: (t: number) => number, slope0: number): Ray & { trials: number[] } {
  const trials: number[] = [];
  const ray = {
    f0: phi(0),
    slope0,
    max: Number.POSITIVE_INFINITY,
    trials,
    t: 0,
    ft: Number.NaN,
    slopeT: Number.NaN,
    move() {
      trials.push(ray.t);
      ray.ft = phi(ray.t);
    },
    differentiate() {},
  };
  return ray;
}

describe("the adaptive search", () => {
  test("accepts with c = ½ and starts the next search from twice the step, or from the same step after two trials", () => {
    const search = adaptive();
    // φ(t) = −t + t²/2·L: accepted from t ≤ 1/L on
    const parabola = (L: number) => scalar((t) => -t + 0.5 * L * t * t, -1);
    expect(stepFrom(search, parabola(1), 1)).toBe(1);
    const second = parabola(1);
    expect(stepFrom(search, second, 123)).toBe(1);
    expect(second.trials).toEqual([2, 1]);
    const third = parabola(1);
    expect(stepFrom(search, third, 123)).toBe(1);
    expect(third.trials).toEqual([1]);
  });

  test("fails along an ascent direction, and where φ is NaN", () => {
    expect(
      stepFrom(
        adaptive(),
        scalar((t) => t, -1),
        1,
      ),
    ).toBe(0);
    expect(
      stepFrom(
        adaptive(),
        scalar((t) => (t > 0 ? Number.NaN : 0), -1),
        1,
      ),
    ).toBe(0);
  });
});

describe("nonmonotone searches", () => {
  test("Dai and Zhang: any finite first trial in the first search, later ones against earlier values", () => {
    const search = daiZhang();
    const up = scalar((t) => (t === 0 ? 1 : t < 0.3 ? 0.5 : 100), -1);
    expect(stepFrom(search, up, 1)).toBe(1);
    // the reference is +∞ until the best value has not improved for three steps
    for (let i = 0; i < 2; i++)
      expect(
        stepFrom(
          search,
          scalar(() => 100, -1),
          1,
        ),
      ).toBe(1);
    const low = scalar((t) => (t === 0 ? 100 : t < 0.3 ? 0.5 : 1e6), -1);
    expect(stepFrom(search, low, 1)).toBe(0.25);
  });

  test("the tolerant search rejects an increase twice, then accepts it, and never accepts a value that is not finite", () => {
    const search = tolerant();
    const rise = scalar((t) => 10 * t, -1);
    expect(stepFrom(search, rise, 1)).toBe(0.25);
    expect(rise.trials).toEqual([1, 0.5, 0.25]);
    const wall = scalar((t) => (t > 1e-3 ? Number.NaN : -t), -1);
    const t = stepFrom(search, wall, 1);
    expect(t).toBeGreaterThan(0);
    expect(t).toBeLessThanOrEqual(1e-3);
    expect(
      stepFrom(
        search,
        scalar((t) => (t > 0 ? Number.NaN : 0), -1),
        1,
      ),
    ).toBe(0);
  });
});

test("rcg converges where f has relative errors of 1e-13, as long sums have", async () => {
  const E = jsEngine();
  const [n, p] = [60, 3];
  const A = E.operator(unitSymmetric(n, random(5, "noise")));
  let calls = 0;
  const fg: Objective["fg"] = (G, X) => {
    A.apply(G, X);
    const value = 10 + 0.5 * E.dot(X, G);
    return value * (1 + 1e-13 * Math.sin(1e3 * calls++));
  };
  const f = objective(E, { fg }, n, p);
  const r = await drain(E, f, { solver: "rcg", tol: 1e-8, maxIterations: 400, certificate: "stationary" });
  expect(r.status).toBe("converged");
  // with the Armijo condition alone the search fails much earlier
  expect(r.stationarity).toBeLessThanOrEqual(1e-8);
  expect(r.evaluations.f).toBeLessThan(400);
});
