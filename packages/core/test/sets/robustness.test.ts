/** `subjectTo` where a plain augmented Lagrangian fails: g of any size, feasible points far from the start, saddles, kinks. */

import { type Matrix, random, type Tall } from "@expen/linalg";
import {
  abs,
  type Expr,
  entrywise,
  formula,
  inner,
  mul,
  rowSums,
  scale,
  square,
  sub,
  sum,
  t,
  trace,
} from "@expen/tape";
import { describe, expect, test } from "vitest";
import type { Manifold } from "../../src/contracts/manifold.js";
import { euclidean, product, sphere } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { minimize } from "../../src/minimize.js";
import { atMost, bounds, equal, nonnegative, type Subject } from "../../src/sets/subject.js";

const matrix = (rows: number, cols: number, at: (i: number, j: number) => number): Matrix => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, (_, k) => at(Math.floor(k / cols), k % cols)),
});
const normal = (rows: number, cols: number, seed: number): Matrix => {
  const r = random(seed, "robustness");
  return matrix(rows, cols, r.normal);
};
const diagonal = (...d: number[]): Matrix => matrix(d.length, d.length, (i, j) => (i === j ? d[i]! : 0));
const form = (A: Matrix) => formula((x) => scale(0.5, inner(x, mul(A, x))));
/** ½⟨X, AX⟩ with a symmetric A of normal numbers */
const symmetric = (n: number, seed: number) => {
  const B = normal(n, n, seed);
  return form(matrix(n, n, (i, j) => (B.data[i * n + j]! + B.data[j * n + i]!) / 2));
};
const rowLengths = formula((X) => sub(rowSums(square(X)), 0.25));

describe("g of any size", () => {
  const B = normal(20, 20, 6);
  const weights = diagonal(3, 2, 1);
  const f = formula((X) => scale(-1 / 40, trace(mul(weights, t(X), B, t(B), X))));
  const run = (g: Parameters<typeof atMost>[0], seed = 1) =>
    minimize(f, { on: stiefel(20, 3), subjectTo: [atMost(g)], seed });

  test.each([1e-8, 1e-4, 0.1, 10, 1e4, 1e8])("c·g has the answer of g, with multipliers λ/c (c = %d)", async (c) => {
    for (const seed of [1, 2, 3]) {
      const one = await run(rowLengths, seed);
      const other = await run(
        formula((X) => scale(c, sub(rowSums(square(X)), 0.25))),
        seed,
      );
      expect([one.status, other.status]).toEqual(["converged", "converged"]);
      expect(other.certificate.level).not.toBe("none");
      expect(Math.abs(other.fval - one.fval)).toBeLessThan(1e-5 * Math.abs(one.fval));
      // as given, and as a length in X
      expect(other.violation).toBeLessThanOrEqual(1e-6 * Math.min(1, 10 * c));
      for (const [i, x] of one.multipliers![0]!.entries())
        expect(Math.abs(c * other.multipliers![0]![i]! - x)).toBeLessThan(1e-3 * (1 + x));
      expect(other.evaluations.f).toBeLessThanOrEqual(10 * one.evaluations.f);
    }
  });

  test("rows of eight orders of magnitude", async () => {
    const D = matrix(20, 1, (i) => 10 ** (((i * 7) % 9) - 4));
    const one = await run(rowLengths);
    const other = await run(formula((X) => entrywise(D, sub(rowSums(square(X)), 0.25))));
    expect(other.status).toBe("converged");
    expect(Math.abs(other.fval - one.fval)).toBeLessThan(1e-5 * Math.abs(one.fval));
    for (const [i, x] of one.multipliers![0]!.entries())
      expect(Math.abs(D.data[i]! * other.multipliers![0]![i]! - x)).toBeLessThan(1e-3 * (1 + x));
  });

  test("functions on numbers are measured as formulas are", async () => {
    const own = (c: number) => ({
      size: 1,
      value: (out: Float64Array, X: { data: ArrayLike<number> }) => void (out[0] = c * (X.data[0]! - 0.1)),
      adjoint: (G: { data: { [i: number]: number } }, _X: unknown, w: Float64Array) => void (G.data[0]! += c * w[0]!),
    });
    const at = (c: number) => minimize(symmetric(6, 2), { on: sphere(6), subjectTo: [equal(own(c) as never)] });
    const [one, other] = [await at(1), await at(1e7)];
    expect(other.status).toBe("converged");
    expect(other.X.data[0]).toBeCloseTo(0.1, 12);
    expect(other.fval).toBeCloseTo(one.fval, 5);
  });
});

describe("feasible points far from where f leads", () => {
  test("a local minimum of the violations is left for a feasible point", async () => {
    // Σxᵢ is least at −1/√5 for all entries, where no small step makes x ≥ −0.2
    const result = await minimize(
      formula((x) => sum(x)),
      { on: sphere(5), subjectTo: [bounds(-0.2, Number.POSITIVE_INFINITY)] },
    );
    expect(result.status).toBe("converged");
    expect(result.fval).toBeCloseTo(Math.sqrt(1 - 4 * 0.04) - 0.8, 5);
  });

  const total = formula((x) => sum(x));
  test.each([
    ["bounds that the sphere does not meet", () => minimize(total, { on: sphere(5), subjectTo: [bounds(-0.1, 0.1)] })],
    [
      "two equations that exclude each other",
      () => minimize(total, { on: sphere(6), subjectTo: [0.5, 1].map((c) => equal(total, c)) }),
    ],
    ["an isolated point", () => minimize(total, { on: sphere(1), subjectTo: [bounds(2, 3)] })],
    [
      "one part of a product",
      () =>
        minimize(
          formula(({ u }: { u: Expr }) => sum(u)),
          { on: product({ u: sphere(3), v: euclidean(2, 1) }), subjectTo: [bounds(0.9, 1, { part: "u" })] },
        ),
    ],
  ])("%s: infeasible", async (_, run) => {
    const { status, violation, certificate } = await run();
    expect(status).toBe("infeasible");
    expect(violation).toBeGreaterThan(1e-2);
    expect(certificate.level).toBe("none");
  });

  test("the sign of isolated points is that of the constraint", async () => {
    const { X, status } = await minimize(
      formula((x) => sum(x)),
      { on: sphere(1), subjectTo: [nonnegative()] },
    );
    expect([status, Math.sign(X.data[0]!)]).toEqual(["converged", 1]);
  });
});

describe("saddles of the Lagrangian", () => {
  const f = form(diagonal(1, 2, 3, 4));
  const start = matrix(4, 1, (i) => (i === 2 ? 1 : 0));

  test.each([
    [
      "an equation",
      equal(
        formula((x) =>
          inner(
            x,
            matrix(4, 1, (i) => (i === 0 ? 1 : 0)),
          ),
        ),
      ),
      1,
    ],
    ["an inequality whose multiplier is 0", bounds(-1, 1), 0.5],
    ["bounds that are not active", bounds(-2, 2), 0.5],
    ["a bound that is met below the saddle", bounds(-0.6, 1.5), 0.5 * (0.36 + 2 * 0.64)],
  ])("%s: a stationary start is left", async (name, subject, least) => {
    const { status, fval, notes, certificate } = await minimize(f, { on: sphere(4), subjectTo: [subject], start });
    expect(status).toBe("converged");
    expect(notes.join("; ")).toMatch(/left a saddle at f = 1\.5/);
    // either sign of x₁ is below the saddle
    if (name.startsWith("a bound")) expect([0.5, least].some((x) => Math.abs(x - fval) < 1e-5)).toBe(true);
    else expect(fval).toBeCloseTo(least, 6);
    expect(certificate.level).toBe("second-order");
  });

  test("an active constraint with multiplier 0 leaves a minimum at second order", async () => {
    // the minimum e₁ of f touches x₁ ≤ 1, x₂ ≥ 0 and x₂ ≤ 0.5
    const near = matrix(4, 1, (i) => [2, 0.1, 0.1, 0.1][i]!);
    const { certificate, fval } = await minimize(f, {
      on: sphere(4),
      subjectTo: [
        bounds(
          matrix(4, 1, (i) => (i === 1 ? 0 : -1)),
          1,
        ),
      ],
      start: near,
    });
    expect(fval).toBeCloseTo(0.5, 8);
    expect(certificate.level).toBe("second-order");
  });

  test("the history and the number of iterations go on below a saddle", async () => {
    const { history, iterations } = await minimize(f, {
      on: sphere(4),
      subjectTo: [bounds(-2, 2)],
      start,
      history: true,
    });
    expect(history!.at(-1)!.k).toBe(iterations);
    expect(history!.map(({ k }) => k)).toEqual([...history!.map(({ k }) => k)].sort((a, b) => a - b));
  });
});

test("a kink at the answer ends the run soon, with a sentence", async () => {
  const { status, reason, evaluations } = await minimize(symmetric(5, 1), {
    on: sphere(5),
    subjectTo: [
      atMost(
        formula((x) => sum(abs(x))),
        1.2,
      ),
    ],
  });
  expect(status).toBe("search-failed");
  expect(reason.text).toMatch(/kink/);
  expect(evaluations.f).toBeLessThan(5000);
});

test("an adjoint that overwrites what is in G is refused with a sentence", async () => {
  const wrong = {
    size: 1,
    value: (out: Float64Array, X: Tall) => void (out[0] = X.data[0]! - 0.1),
    adjoint(G: Tall, _X: Tall, w: Float64Array) {
      G.data.fill(0);
      G.data[0] = w[0]!;
    },
  };
  await expect(minimize(symmetric(5, 1), { on: sphere(5), subjectTo: [atMost(wrong)] })).rejects.toThrow(
    "atMost(g, 0): adjoint overwrites G; it must add Jᵀw to it",
  );
});

describe("f in any unit", () => {
  const A = normal(20, 20, 3);
  const run = (s: number, on: Manifold, subject: Subject) =>
    minimize(
      formula((x) => scale(s, inner(x, mul(A, x)))),
      { on, subjectTo: [subject] },
    );

  test.each<[string, Manifold, Subject]>([
    ["X ≥ 0 with orthonormal columns", stiefel(20, 3), nonnegative()],
    ["bounds", sphere(20), bounds(-0.3, 0.3)],
  ])("%s: from 1e-12 to 1e12", async (_, on, subject) => {
    const one = await run(1, on, subject);
    for (const s of [1e-12, 1e12]) {
      const { status, fval, certificate, evaluations } = await run(s, on, subject);
      expect([status, certificate.level]).toEqual(["converged", one.certificate.level]);
      expect(fval / s).toBeCloseTo(one.fval, 6);
      expect(evaluations.f).toBeLessThan(2 * one.evaluations.f);
    }
  });
});

test("X ≥ 0: rows with entries next to 0 are not taken for zero rows", async () => {
  // the answer is |v|'s larger part of one sign, with an entry of 3e-5
  const v = Float64Array.from({ length: 200 }, (_, i) => (i === 7 ? 6e-4 : 1 + i / 200) / 20);
  const f = {
    fg(G: Tall, X: Tall) {
      const s = v.reduce((sum, x, i) => sum + x * X.data[i]!, 0);
      for (const [i, x] of v.entries()) G.data[i] = -s * x;
      return -0.5 * s * s;
    },
  };
  const { X, status, certificate } = await minimize(f, { on: stiefel(200, 1), subjectTo: [nonnegative()] });
  expect([status, certificate.level]).toEqual(["converged", "second-order"]);
  const size = Math.hypot(...v);
  for (const [i, x] of v.entries()) expect(Math.abs(X.data[i]! - x / size)).toBeLessThan(1e-7);
});
