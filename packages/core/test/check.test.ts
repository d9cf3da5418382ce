import { problems } from "@expen/experiments/problems";
import type { Engine, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { checkDerivatives, quickCheck } from "../src/check/derivatives.js";
import { slopeOf } from "../src/check/slope.js";
import type { Objective } from "../src/contracts/objective.js";
import { randomStart } from "../src/run/start.js";

const [n, p] = [12, 3];

/** f(X) = ½⟨X, DX⟩ + ¼Σx⁴ with D = diag(1..n): neither quadratic nor invariant under rotations */
function quartic(E: Engine): Objective {
  const row = (i: number): number => 1 + Math.floor(i / p);
  const f = (X: Tall): number => X.data.reduce((s, x, i) => s + 0.5 * row(i) * x * x + 0.25 * x ** 4, 0);
  return {
    n,
    p,
    f,
    fg(G, X) {
      X.data.forEach((x, i) => {
        G.data[i] = row(i) * x + x ** 3;
      });
      return f(X);
    },
    hvp(H, X, D) {
      X.data.forEach((x, i) => {
        H.data[i] = (row(i) + 3 * x * x) * D.data[i]!;
      });
      void E;
    },
  };
}

/** The same with something done to the gradient afterwards */
const spoilt = (f: Objective, spoil: (G: Tall, X: Tall) => void): Objective => ({
  ...f,
  fg(G, X) {
    const value = f.fg(G, X);
    spoil(G, X);
    return value;
  },
});
const scaled = (c: number) => (G: Tall) => G.data.forEach((g, i) => void (G.data[i] = c * g));

describe("slopeOf", () => {
  test.each([
    ["t²", (t: number) => 3 * t * t, 2, 2],
    ["t² with rounding of 1", (t: number) => 1 + t * t - 1, 2, 2],
    ["t³", (t: number) => t ** 3, 3, 3],
  ])("%s", (_, r, expected, slope) => {
    const found = slopeOf(r, expected);
    expect(found.slope).toBeCloseTo(slope, 1);
    expect(found.passed).toBe(true);
  });

  test("a small term of lower order is seen", () => {
    expect(slopeOf((t) => t * t + 1e-5 * t, 2).passed).toBe(false);
    expect(slopeOf((t) => t ** 3 + 1e-3 * t * t, 3).passed).toBe(false);
  });

  test("rounding alone passes as exact, NaN does not pass", () => {
    const r = random(1, "noise");
    expect(slopeOf(() => 1e-16 * r.normal(), 3)).toEqual({
      slope: Number.POSITIVE_INFINITY,
      expected: 3,
      passed: true,
    });
    expect(slopeOf(() => Number.NaN, 2).passed).toBe(false);
  });
});

describe("checkDerivatives", () => {
  const E = jsEngine();
  const good = quartic(E);

  test("right derivatives: slopes 2 and 3 at six points, on and off the manifold", () => {
    const verdict = checkDerivatives(E, good);
    expect(verdict.passed).toBe(true);
    expect(verdict.points.map((q) => q.on)).toEqual([true, false, true, false, true, false]);
    for (const { gradient, hessian, asymmetry } of verdict.points) {
      expect(Math.abs(gradient.slope - 2)).toBeLessThan(0.1);
      expect(hessian!.slope).toBeGreaterThan(2.9);
      expect(asymmetry).toBeLessThan(1e-14);
    }
  });

  test.each([...problems.keys()])("%s passes", (name) => {
    const problem = problems.get(name)!.make(E, { n: 20, p: 3, seed: 2 });
    expect(checkDerivatives(E, problem.objective, { seed: 3 })).toMatchObject({ passed: true });
  });

  test("without hvp only the gradient is looked at", () => {
    const { hvp: _, ...first } = good;
    const verdict = checkDerivatives(E, first);
    expect(verdict).toMatchObject({ passed: true, hasHessian: false });
    expect(verdict.points[0]!.hessian).toBeUndefined();
  });

  test.each([
    [2, "2 times the right one; multiply it by 0.5"],
    [0.5, "half the right one; multiply it by 2"],
    [-1, "minus the right one; multiply it by -1"],
  ])("a factor of %d is named", (c, text) => {
    const verdict = checkDerivatives(E, spoilt(good, scaled(c)));
    expect(verdict).toMatchObject({ passed: false, mistake: "factor" });
    expect(verdict.text).toContain(text);
  });

  test("the Riemannian gradient is named", () => {
    const S = E.small(p, p);
    const tangent = spoilt(good, (G, X) => {
      E.tmul(S, X, G);
      E.symmetrize(S);
      E.mul(G, X, S, -1, 1);
    });
    expect(checkDerivatives(E, tangent)).toMatchObject({ passed: false, mistake: "riemannian" });
  });

  test("one wrong entry is found, with its value and what it should be", () => {
    const wrong = spoilt(good, (G) => {
      G.data[7 * p + 1]! += 1e-3;
    });
    const verdict = checkDerivatives(E, wrong);
    expect(verdict.passed).toBe(false);
    const { of, row, column, given, expected } = verdict.suspect!;
    expect([of, row, column]).toEqual(["gradient", 7, 1]);
    expect(given - expected).toBeCloseTo(1e-3, 6);
    expect(verdict.text).toContain("entry (7, 1)");
    expect(verdict.mistake).toBeUndefined();
  });

  test("a gradient that is right on the manifold only is caught off it", () => {
    const K = E.small(p, p);
    const wrong = spoilt(good, (G, X) => {
      E.gram(K, X);
      E.addDiagonal(K, -1);
      G.data[0]! += E.dot(K, K);
    });
    const verdict = checkDerivatives(E, wrong);
    expect(verdict.passed).toBe(false);
    expect(verdict.points).toHaveLength(2);
    expect(verdict.text).toContain("off the manifold");
  });

  test("adding to G, changing X, a value that differs, NaN", () => {
    const adds: Objective = {
      ...good,
      fg(G, X) {
        const before = Float64Array.from(G.data);
        const value = good.fg(G, X);
        for (let i = 0; i < before.length; i++) G.data[i]! += before[i]!;
        return value;
      },
    };
    expect(checkDerivatives(E, adds)).toMatchObject({ passed: false, mistake: "adds" });
    const changes = spoilt(good, (_, X) => void (X.data[0]! += 1e-9));
    expect(checkDerivatives(E, changes)).toMatchObject({ passed: false, mistake: "side-effect" });
    const other: Objective = { ...good, f: (X) => good.f(X) + 1 };
    expect(checkDerivatives(E, other)).toMatchObject({ passed: false, mistake: "value" });
    expect(checkDerivatives(E, { ...good, f: () => Number.NaN })).toMatchObject({
      passed: false,
      mistake: "not-finite",
    });
    expect(checkDerivatives(E, spoilt(good, scaled(0)))).toMatchObject({ passed: false, mistake: "zero" });
  });

  test("a Hessian that is not symmetric, and one that is wrong with its entry", () => {
    const skew: Objective = {
      ...good,
      hvp(H, X, D) {
        good.hvp!(H, X, D);
        H.data[0]! += D.data[1]!;
      },
    };
    expect(checkDerivatives(E, skew)).toMatchObject({ passed: false, mistake: "asymmetric" });
    const wrong: Objective = {
      ...good,
      hvp(H, X, D) {
        good.hvp!(H, X, D);
        H.data[4 * p + 2]! += 5 * D.data[4 * p + 2]!;
      },
    };
    expect(checkDerivatives(E, wrong)).toMatchObject({
      passed: false,
      suspect: { of: "hessian", row: 4, column: 2 },
    });
  });
});

describe("quickCheck", () => {
  const E = jsEngine();
  const good = quartic(E);

  test("takes one gradient and four values, eight where these leave a doubt", () => {
    for (const [jitter, expected] of [
      [0, 4],
      [1e-9, 8],
    ] as const) {
      let [values, gradients] = [0, 0];
      const watched: Objective = {
        ...good,
        f(X) {
          values++;
          const value = good.f(X);
          return value * (1 + jitter * Math.sin(1e12 * value));
        },
        fg(G, X) {
          gradients++;
          return good.fg(G, X);
        },
      };
      expect(quickCheck(E, watched, randomStart(E, n, p, 1)).passed).toBe(true);
      expect([values, gradients]).toEqual([expected, 1]);
    }
  });

  test("no false alarm on the built-in problems at 20 starts, also scaled by 1e±8 and shifted by 1e6", () => {
    for (const [name, entry] of problems) {
      const { objective: f } = entry.make(E, { n: 15, p: 3, seed: 1 });
      for (let seed = 1; seed <= 20; seed++) {
        const X = randomStart(E, 15, 3, seed);
        const c = 10 ** ((seed % 3) * 8 - 8);
        const g: Objective = {
          n: 15,
          p: 3,
          f: (Y) => c * f.f(Y) + 1e6 * c,
          fg(G, Y) {
            const value = f.fg(G, Y);
            scaled(c)(G);
            return c * value + 1e6 * c;
          },
        };
        expect(quickCheck(E, f, X, { seed }).passed, `${name} ${seed}`).toBe(true);
        expect(quickCheck(E, g, X, { seed }).passed, `${name} ${seed} scaled`).toBe(true);
      }
    }
  });

  test("sees factors, signs and noise in the gradient", () => {
    const noise = E.tall(n, p);
    fillNormal(noise, random(1, "noise"));
    for (const spoil of [scaled(2), scaled(-1), scaled(1.01), (G: Tall) => E.combine(G, 1, noise, 1, G)]) {
      const verdict = quickCheck(E, spoilt(good, spoil), randomStart(E, n, p, 1));
      expect(verdict.passed).toBe(false);
      expect(verdict.text).toMatch(/gradient gives .* but differences of f give/);
    }
  });
});
