import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { problems } from "../../src/problems/catalog.js";

describe("catalog", () => {
  test.each([...problems])("%s makes the problem of its name, with the documented defaults", (name, entry) => {
    const E = jsEngine();
    const told = Object.fromEntries(entry.options.filter((o) => "default" in o).map((o) => [o.name, o.default]));
    const [plain, explicit] = [entry.make(E, { n: 7, p: 2 }), entry.make(E, { n: 7, p: 2, seed: 1, ...told })];
    expect(plain.name).toBe(name);
    const X = tallOf(E, gaussian(7, 2, random(1)));
    expect(explicit.objective.f(X)).toBe(plain.objective.f(X));
    expect(explicit.nonsmooth).toEqual(plain.nonsmooth);
    expect(() => entry.make(E, { n: 2, p: 3 })).toThrow(new RegExp(`^${name}: p = 3 is above n = 2`));
  });

  test("seeds make different instances, except where nothing is random", () => {
    const E = jsEngine();
    const X = tallOf(E, gaussian(7, 2, random(1)));
    for (const [name, entry] of problems) {
      const [one, two] = [1, 2].map((seed) => entry.make(E, { n: 7, p: 2, seed }).objective.f(X));
      if (name === "noeig") expect(one).toBe(two);
      else expect(one, name).not.toBe(two);
    }
  });

  test("sizes follow from data", () => {
    const sizes = (name: string, options: Record<string, unknown>): unknown => problems.get(name)!.sizes!(options);
    const [A, B] = [gaussian(9, 4, random(1)), gaussian(9, 3, random(2))];
    expect(sizes("pca", { A })).toEqual({ n: 4 });
    expect(sizes("pca", {})).toEqual({});
    expect(sizes("nearest", { A })).toEqual({ n: 9, p: 4 });
    expect(sizes("procrustes", { A, B })).toEqual({ n: 4, p: 3 });
    expect(sizes("procrustes", { side: "right", A, B })).toEqual({ n: 9, p: 9 });
    expect(sizes("jointdiag", { A: [unitSymmetric(5, random(1))] })).toEqual({ n: 5 });
    expect(sizes("quadratic", { G: A })).toEqual({ n: 9, p: 4 });
    expect(sizes("brockett", { B: unitSymmetric(5, random(1)), C: unitSymmetric(2, random(1)) })).toEqual({
      n: 5,
      p: 2,
    });
  });
});
