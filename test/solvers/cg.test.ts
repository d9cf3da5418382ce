import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tallOf } from "../../src/engines/own-matrix.js";
import { euclidean } from "../../src/geometry/euclidean.js";
import { counted, noEvaluations } from "../../src/objective/objective.js";
import { expen } from "../../src/penalty/expen.js";
import { brockett } from "../../src/problems/brockett.js";
import { noeig } from "../../src/problems/noeig.js";
import { random } from "../../src/random.js";
import { scipySearch } from "../../src/search/scipy.js";
import { cg } from "../../src/solvers/cg.js";
import { type CgRuleName, cgRules } from "../../src/solvers/cg-rules.js";
import { trialRay } from "../../src/solvers/ray.js";
import type { Ray, Tall } from "../../src/types.js";
import { js as E, normal, normalSmall, rayleigh } from "../functions.js";

interface Case {
  name: string;
  n: number;
  p: number;
  tol: number;
  beta: number;
  X0: number[];
  B?: number[];
  C?: number[];
  iterations: number;
  evaluations: number;
  median: { iterations: number; evaluations: number };
  final: { h: number };
  /** h, ‖∇h‖, evaluations after each step */
  trace: [number, number, number][];
}
const reference = JSON.parse(readFileSync(new URL("../reference/scipy-cg-trace.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

describe.each(reference.cases.map((c) => [c.name, c] as const))("SciPy's CG on ExPen, step by step: %s", (_name, c) => {
  const { n, p, tol } = c;
  const matrix = (rows: number, cols: number, data: number[]) => ({ rows, cols, data: Float64Array.from(data) });
  const problem = c.B && c.C ? brockett(E, { n, p, B: matrix(n, n, c.B), C: matrix(p, p, c.C) }) : noeig(E, { n, p });
  /** CG as SciPy runs it, from X0 with a relative change of the size of rounding */
  function start(change: number) {
    const evaluations = noEvaluations();
    const h = expen(E, counted(problem.objective, evaluations), c.beta);
    const r = random(change, "rounding");
    const X0 = tallOf(
      E,
      matrix(
        n,
        p,
        c.X0.map((x) => x * (1 + (change && 1e-15 * r.normal()))),
      ),
    );
    const method = cg(E, { search: scipySearch(), descent: 0.01, gradientTolerance: tol, restart: false });
    return { evaluations, steps: method(trialRay(E, h, euclidean(E), X0, evaluations)) };
  }

  test("values, gradients and evaluations of the first 20 steps", () => {
    const { evaluations, steps } = start(0);
    for (const s of steps) {
      if (s.k === 0) continue;
      const [value, gnorm, count] = c.trace[s.k - 1]!;
      expect(Math.abs(s.f - value)).toBeLessThan(1e-8 * Math.abs(value));
      expect(Math.abs(s.gnorm - gnorm)).toBeLessThan(1e-7 * gnorm);
      expect(evaluations.f).toBe(count);
      if (s.k === 20) break;
    }
  });

  // rounding grows tenfold in 8 steps, so each run comes to its own end, as SciPy's runs do from starts that differ by rounding
  test("the same counts in the middle of 31 runs, to a few percent", () => {
    const runs = Array.from({ length: 31 }, (_, change) => {
      const { evaluations, steps } = start(change);
      for (const s of steps) {
        if (s.gnorm <= tol) {
          expect(Math.abs(s.f - c.final.h)).toBeLessThan(1e-7);
          return { iterations: s.k, evaluations: evaluations.f };
        }
      }
      throw new Error("did not converge");
    });
    for (const count of ["iterations", "evaluations"] as const) {
      const middle = runs.map((run) => run[count]).toSorted((a, b) => a - b)[15]!;
      expect(Math.abs(middle / c.median[count] - 1), `${count} ${middle}`).toBeLessThan(0.05);
    }
  });
});

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
