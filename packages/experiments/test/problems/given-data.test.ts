/** A problem with given data depends on that data alone. */

import { randomStart } from "@expen/core";
import type { Matrix } from "@expen/linalg";
import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { problems } from "../../src/problems/catalog.js";

const [n, p] = [6, 2];
const E = jsEngine();
const symmetric = unitSymmetric(n, random(1));
const samples = gaussian(9, n, random(2));
const tall = gaussian(n, p, random(3));

/** The data that a user gives first, for every problem that takes any */
const data: Record<string, Record<string, Matrix | Matrix[]> | undefined> = {
  noeig: undefined,
  brockett: { B: symmetric },
  pca: { A: samples },
  quadratic: { A: symmetric },
  procrustes: { A: samples, B: gaussian(9, p, random(4)) },
  nearest: { A: tall },
  jointdiag: { A: [symmetric, unitSymmetric(n, random(5))] },
  dictionary: { Y: samples },
  "sparse-pca": { A: samples },
};

test("the list contains every problem", () => expect(Object.keys(data).sort()).toEqual([...problems.keys()].sort()));

const given = Object.entries(data).filter(([, matrices]) => matrices !== undefined);

test.each(given)("%s of given data is the same for every seed", (name, matrices) => {
  const X = randomStart(E, n, p, 1);
  const value = (seed: number): number =>
    problems
      .get(name)!
      .make(E, { n, p, seed, ...matrices })
      .objective.f(X);
  expect(value(1)).toBe(value(2));
});

test("quadratic and brockett of a matrix alone are ½ tr(XᵀAX)", () => {
  const X = randomStart(E, n, p, 1);
  const AX = E.tall(n, p);
  E.operator(symmetric).apply(AX, X);
  const half = 0.5 * E.dot(X, AX);
  for (const [name, letter] of [
    ["quadratic", "A"],
    ["brockett", "B"],
  ] as const) {
    expect(
      problems
        .get(name)!
        .make(E, { n, p, [letter]: symmetric })
        .objective.f(X),
    ).toBeCloseTo(half, 14);
  }
  const asked = problems.get("quadratic")!.make(E, { n, p, A: symmetric, kappa: 0.5 });
  expect(Math.abs(asked.objective.f(X) - half)).toBeGreaterThan(1e-3);
});

describe("options of seeded data together with given data, and incomplete data, are refused", () => {
  test.each([
    [
      "pca",
      { A: samples, m: 5 },
      /^pca: m is 5 but says something of seeded data alone, and A is given; leave m out\.$/,
    ],
    ["sparse-pca", { A: samples, m: 5 }, /m is 5 .* leave m out/],
    ["dictionary", { Y: samples, atoms: 1 }, /atoms is 1 .* Y is given/],
    ["jointdiag", { A: [symmetric], noise: 0.1 }, /noise is 0\.1 .* A is given/],
    ["quadratic", { A: symmetric, G: tall, kappa: 0.1 }, /kappa is 0\.1 .* G is given/],
    ["quadratic", { G: tall }, /^quadratic: G is given but A is not; give both, or none for seeded ones\.$/],
    ["procrustes", { A: samples }, /A is given but B is not/],
    ["procrustes", { B: tall }, /B is given but A is not/],
    ["brockett", { C: unitSymmetric(p, random(1)) }, /C is given but B is not/],
  ])("%s %#", (name, options, sentence) => {
    expect(() => problems.get(name)!.make(E, { n, p, ...options })).toThrow(sentence);
  });
});
