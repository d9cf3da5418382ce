/** The check of the gradient along the steps of a run: what it must find, what it must let pass, what it costs. */

import type { Tall } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { rightObjectives } from "@expen/testing/right-objectives";
import { SHAPES, wrongEntriesFoundByRuns } from "@expen/testing/wrong-entries";
import { describe, expect, test } from "vitest";
import { GradientError } from "../src/check/before-run.js";
import { stepComparison } from "../src/check/step-comparison.js";
import { stiefel, stiefelConstraint } from "../src/manifolds/stiefel.js";
import { minimize } from "../src/minimize.js";
import { randomStart } from "../src/run/start.js";

const E = jsEngine();
const LONG = process.env.EXPEN_LONG === "1";
const [n, p] = [30, 4];
const data = gaussian(n, p, random(1, "along steps")).data;

/** f = Σ ½(1 + k)x_k² + c_k·x_k + ¼x_k⁴ */
const value = (x: Float64Array): number =>
  x.reduce((sum, v, k) => sum + 0.5 * (1 + k / 10) * v * v + 10 * data[k]! * v + 0.25 * v ** 4, 0);
const slope = (x: Float64Array, k: number): number => (1 + k / 10) * x[k]! + 10 * data[k]! + x[k]! ** 3;

/** How many calls of f and grad a run takes, and its error or result */
async function counted(wrong: (g: Float64Array, x: Float64Array) => void, o: { check?: boolean | "full" } = {}) {
  let calls = 0;
  const user = {
    f: (X: Tall) => value(X.data),
    grad(G: Tall, X: Tall) {
      calls++;
      for (let k = 0; k < X.data.length; k++) G.data[k] = slope(X.data, k);
      wrong(G.data, X.data);
    },
  };
  const found = await minimize(user, { on: stiefel(n, p), engine: E, ...o }).catch((error: unknown) => error);
  return { calls, found };
}

/** G ← the gradient at the X of the call before */
function ofAnotherPoint(): (g: Float64Array) => void {
  let before: Float64Array | undefined;
  return (g) => {
    const now = g.slice();
    if (before) g.set(before);
    before = now;
  };
}

/** by k → from the order of columns to that of rows */
const transposed = (g: Float64Array): void => {
  const rows = g.slice();
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) g[i * p + j] = rows[j * n + i]!;
};

describe("a gradient that does not belong to f ends the run with an error", () => {
  test.each<[string, () => (g: Float64Array, x: Float64Array) => void, RegExp]>([
    ["half", () => (g) => g.forEach((v, k) => void (g[k] = v / 2)), /half the right one; multiply it by 2/],
    ["negative", () => (g) => g.forEach((v, k) => void (g[k] = -v)), /minus the right one/],
    ["zero", () => (g) => g.fill(0), /the gradient is 0 everywhere/],
    ["one entry off by 1 %", () => (g) => void (g[7]! *= 1.01), /entry \(1, 3\)/],
    ["the sign of one entry", () => (g) => void (g[7]! *= -1), /entry \(1, 3\)/],
    ["a row left zero", () => (g) => g.fill(0, 8, 12), /furthest off is entry \(2, \d\)/],
    ["transposed", () => transposed, /furthest off/],
    ["a term missing", () => (g, x) => g.forEach((v, k) => void (g[k] = v - x[k]! ** 3)), /furthest off/],
    ["of another X", ofAnotherPoint, /furthest off/],
    ["off by 0.5 % at random", () => (g) => g.forEach((v, k) => void (g[k] = v * (1 + 0.005 * data[k]!))), /off/],
  ])("%s", async (_, wrong, sentence) => {
    const { found } = await counted(wrong());
    expect(found).toBeInstanceOf(GradientError);
    expect((found as Error).message).toMatch(sentence);
    expect((found as Error).message).toMatch(/check: false/);
  });

  test("a mistake that is half or more is found by the first steps", async () => {
    for (const factor of [-1, -0.1, 0.1, 0.5, 2]) {
      const { calls, found } = await counted((g) => g.forEach((v, k) => void (g[k] = factor * v)), {});
      expect(found).toBeInstanceOf(GradientError);
      expect(calls).toBeLessThan(factor < 0 ? 70 : 12);
    }
  });
});

test("the check of a right gradient takes no evaluation; the full one takes four", async () => {
  const right = (): void => undefined;
  const [without, along, full] = [
    await counted(right, { check: false }),
    await counted(right),
    await counted(right, { check: "full" }),
  ];
  const evaluations = ({ found }: typeof along): number => (found as { evaluations: { f: number } }).evaluations.f;
  expect(along.calls).toBe(without.calls);
  expect(evaluations(along)).toBe(evaluations(without));
  expect(evaluations(full)).toBe(evaluations(without) + 4);
});

test("a run without a step is checked by differences", async () => {
  const start = randomStart(E, n, p, 3);
  const linear = { f: (X: Tall) => -E.dot(start, X), grad: (G: Tall) => E.combine(G, -1, start, 0, start) };
  const o = { on: stiefel(n, p), engine: E, start } as const;
  expect((await minimize(linear, o)).iterations).toBe(0);
  const wrong = { ...linear, grad: (G: Tall) => E.combine(G, -2, start, 0, start) };
  // along the manifold it is right: both are 0 there
  expect((await minimize(wrong, o)).iterations).toBe(0);
  const bent = {
    ...linear,
    f: (X: Tall) => -E.dot(start, X) + X.data[0]!,
  };
  await expect(minimize(bent, o)).rejects.toThrow(GradientError);
});

test(`no false alarm in runs on ${LONG ? 5000 : 100} right objectives`, async () => {
  const alarms: string[] = [];
  // every sixth: all sizes, families and changes come in turn
  const chosen = LONG ? rightObjectives(5000) : [...rightObjectives(600)].filter((_, k) => k % 6 === 0);
  for (const { name, seed, f } of chosen) {
    const start = randomStart(E, f.n, f.p, seed);
    const o = { on: stiefel(f.n, f.p), engine: E, seed, start, maxIterations: 60, maxEvaluations: 200 } as const;
    const error = await minimize(f, { ...o, certificate: "stationary" }).catch((e: unknown) => e);
    if (error instanceof GradientError) alarms.push(`${name}, seed ${seed}: ${error.message}`);
  }
  expect(alarms).toEqual([]);
}, 600_000);

test.each(LONG ? SHAPES : SHAPES.slice(0, 1))(
  "one entry off by a hundredth, at %i×%i: runs find and name it for 99 of 100 seeds",
  async (rows, cols) => {
    const seeds = LONG ? 100 : 10;
    expect(await wrongEntriesFoundByRuns(E, rows, cols, seeds)).toBeGreaterThanOrEqual(0.99 * seeds);
  },
  600_000,
);

describe("the comparison of two points", () => {
  const on = stiefelConstraint(E, n, p);
  const at = (x: Float64Array): [Tall, Tall, number] => {
    const g = x.map((_, k) => slope(x, k));
    return [E.tall(n, p, g), E.tall(n, p, x), value(x)];
  };
  const X = randomStart(E, n, p, 5).data;
  const D = gaussian(n, p, random(6, "direction")).data;
  const moved = (t: number): Float64Array => X.map((x, k) => x + (t * D[k]!) / Math.sqrt(n));

  test("a right gradient is not suspicious, however large or small the steps and f are", () => {
    for (const scale of [1e-12, 1, 1e12]) {
      const comparison = stepComparison(E, on);
      for (let t = 1; t > 1e-9; t /= 2) {
        const [G, Y, v] = at(moved(t));
        E.combine(G, scale, G, 0, G);
        if (t === 1) comparison.begin({ G, X: Y, f: scale * v });
        else comparison.see(G, Y, scale * v);
      }
      expect(comparison.hasCompared).toBe(true);
      expect(comparison.isSuspicious).toBe(false);
    }
  });

  test("a wrong entry is, once the steps are short, and what an acquittal has seen is suspicious no more", () => {
    const comparison = stepComparison(E, on);
    const see = (t: number): void => {
      const [G, Y, v] = at(moved(t));
      G.data[7]! *= 1.01;
      if (comparison.last) comparison.see(G, Y, v);
      else comparison.begin({ G, X: Y, f: v });
    };
    for (let t = 1; t > 1e-6; t /= 4) see(t);
    expect(comparison.isSuspicious).toBe(true);
    comparison.acquit();
    expect(comparison.isSuspicious).toBe(false);
    for (let t = 1; t > 1e-5; t /= 4) see(t);
    expect(comparison.isSuspicious).toBe(false);
  });

  test("points that are far from each other, equal, or without numbers are not compared", () => {
    const comparison = stepComparison(E, on);
    const [G0, X0, f0] = at(X);
    comparison.see(...at(moved(0.1)));
    expect(comparison.last).toBeUndefined();
    comparison.begin({ G: G0, X: X0, f: f0 });
    for (const t of [0, 1e3, 0]) comparison.see(...at(moved(t)));
    const [G, Y] = at(moved(0.1));
    comparison.see(G, Y, Number.NaN);
    comparison.see(G, Y, Number.POSITIVE_INFINITY);
    expect(comparison.hasCompared).toBe(false);
    expect(comparison.isSuspicious).toBe(false);
  });
});
