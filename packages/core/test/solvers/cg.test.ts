import type { Tall } from "@expen/linalg";
import { js as E, normal, normalSmall, rayleigh } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { Ray } from "../../src/contracts/method.js";
import { euclidean } from "../../src/manifolds/euclidean-geometry.js";
import { cg } from "../../src/methods/cg.js";
import { type CgRuleName, cgRules } from "../../src/methods/cg-rules.js";
import { trialRay } from "../../src/methods/trial-ray.js";

describe("with exact search on a quadratic of dimension m, every rule", () => {
  const m = 12;
  // A = QᵀQ + I, f = ½⟨x, Ax⟩ − ⟨b, x⟩ as a 'matrix' with one column
  const Q = normalSmall(E, m, m, 1);
  const A = E.small(m, m);
  E.gram(A, Q);
  E.addDiagonal(A, 1);
  const b = normal(E, m, 1, 2);
  const quadratic = rayleigh(E, A, 1);
  const f = {
    ...quadratic,
    f: (x: typeof b) => quadratic.f(x) - E.dot(b, x),
    fg(g: typeof b, x: typeof b) {
      const value = quadratic.fg(g, x);
      E.combine(g, -1, b, 1, g);
      return value - E.dot(b, x);
    },
  };
  /** t = −φ'(0)/φ'', φ'' from two slopes */
  const exact = (ray: Ray): boolean => {
    ray.t = 1;
    ray.move();
    ray.differentiate();
    ray.t = -ray.slope0 / (ray.slopeT - ray.slope0);
    ray.move();
    return true;
  };
  const path = (name: CgRuleName): number[] => {
    const values: number[] = [];
    const method = cg(E, { rule: cgRules[name], search: exact });
    for (const s of method(trialRay(E, f, euclidean(E), normal(E, m, 1, 3)))) {
      values.push(s.f, s.gnorm);
      if (s.k === m) break;
    }
    return values;
  };
  test.each(Object.keys(cgRules) as CgRuleName[])("%s ends in m steps", (name) => {
    const values = path(name);
    expect(values.at(-1)).toBeLessThan(1e-9 * values[1]!);
    expect(values.length).toBe(2 * (m + 1));
  });
  test("all rules take the same steps", () => {
    const first = path("fr");
    for (const name of Object.keys(cgRules) as CgRuleName[]) {
      path(name)
        .slice(0, 12)
        .forEach((value, i) => {
          expect(Math.abs(value - first[i]!)).toBeLessThan(1e-9 * Math.abs(first[i]!));
        });
    }
  });
});

test("the rules differ where the search is not exact", () => {
  const q = { gg: 2, g0g0: 4, gy: 1, dy: 5, yy: 3, dg: 0.5, dg0: -4, dd: 6 };
  expect(cgRules.fr(q)).toBe(0.5);
  expect(cgRules.pr(q)).toBe(0.25);
  expect(cgRules["pr+"]({ ...q, gy: -1 })).toBe(0);
  expect(cgRules.hs(q)).toBe(0.2);
  expect(cgRules.dy(q)).toBe(0.4);
  expect(cgRules.ls(q)).toBe(0.25);
  expect(cgRules["fr-pr"]({ ...q, gy: -9 })).toBe(-0.5);
  expect(cgRules["hs-dy"]({ ...q, gy: 9 })).toBe(0.4);
  expect(cgRules.hz(q)).toBeCloseTo((1 - (2 * 3 * 0.5) / 5) / 5, 15);
});

test.each(["hs+", "pr+", "hz", "dy"] as const)(
  "in one dimension %s ends at the minimum: −g + τd may cancel to nothing",
  (rule) => {
    const f = {
      n: 1,
      p: 1,
      f: (X: Tall) => Math.cosh(X.data[0]! - 1) + X.data[0]! ** 2,
      fg(G: Tall, X: Tall) {
        G.data[0] = Math.sinh(X.data[0]! - 1) + 2 * X.data[0]!;
        return f.f(X);
      },
    };
    for (const x of [-0.9, 0.1, 2, 3.3]) {
      let last = Number.NaN;
      for (const s of cg(E, { rule: cgRules[rule] })(trialRay(E, f, euclidean(E), E.tall(1, 1, [x])))) {
        last = s.gnorm;
        if (last < 1e-9 || s.k > 60) break;
      }
      expect(last).toBeLessThan(1e-9);
    }
  },
);
