/** The decisions of the Krylov solver from numbers alone: its method and the remaining columns */

import type { QuadraticForm } from "@expen/core";
import type { Tall } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { columnsExpected, columnsLeft, distance } from "../src/krylov/convergence.js";
import { pairing } from "../src/krylov/pairing.js";
import { planOf, wayOf } from "../src/krylov/plan.js";

const dense = unitSymmetric(3, random(1, "any"));

test("the choice of the method", () => {
  const E = jsEngine();
  const form = (flops: number, L?: Tall): QuadraticForm => ({ apply: () => {}, flops, ...(L && { L }) });
  expect(wayOf(E, 40_000, 20, form(400_000))).toBe("krylov");
  const inverse = {
    unanalysed: 0,
    leastEntries: 6e5,
    entries: 1.3e6,
    flops: 9e7,
    bound: 0,
    factorize: () => undefined,
  };
  expect(wayOf(E, 40_000, 20, form(400_000), inverse)).toBe("inverse");
  const blas = { ...E, factor: { ...E.factor, library: "LAPACK", lowest: () => false } };
  // its size is not asked for where that takes long beside a run
  const never = (): number => expect.unreachable();
  const unanalysed = Object.defineProperties({ ...inverse, unanalysed: 400_000 }, { entries: { get: never } });
  expect(wayOf(blas, 40_000, 5, form(400_000), unanalysed)).toBe("krylov");
  // a factorization with much fill
  expect(wayOf(E, 40_000, 20, form(400_000), { ...inverse, entries: 5e7, flops: 1e11 })).toBe("krylov");
  expect(wayOf(E, 40_000, 20, form(400_000, E.tall(1, 1)))).toBe("general");
  expect(wayOf(E, 100, 3, form(20_000))).toBe("general");
  expect(wayOf(E, 1000, 400, form(2e6))).toBe("direct");
  expect(wayOf(blas, 2000, 50, { ...form(8e6), matrix: dense })).toBe("direct");
  expect(wayOf(blas, 2000, 10, { ...form(8e6), matrix: dense })).toBe("krylov");
  expect(wayOf(blas, 1000, 10, { ...form(2e6), matrix: dense })).toBe("krylov");
  expect(wayOf(blas, 500, 10, { ...form(5e5), matrix: dense })).toBe("direct");
});

test("a small space is tried before a dense factorization, if n leaves room for one", () => {
  const E = jsEngine();
  const blas = { ...E, factor: { ...E.factor, library: "LAPACK", lowest: () => false } };
  const form = { apply: () => {}, flops: 8e6, matrix: dense };
  const columns = planOf(blas, 2000, 50, form).probeColumns();
  expect(columns).toBeGreaterThan(20);
  expect(columns).toBeLessThan(100);
  expect(planOf(blas, 2000, 800, form).probeColumns()).toBe(0);
  expect(planOf(blas, 256, 2, { ...form, flops: 2 * 256 ** 2 }).probeColumns()).toBe(0);
  expect(planOf(blas, 2000, 50, form).isPromising(100)).toBe(true);
  expect(planOf(blas, 2000, 50, form).isPromising(1000)).toBe(false);
  expect(planOf(blas, 2000, 50, form).isPromising(Number.POSITIVE_INFINITY)).toBe(false);
});

test("seconds on hosts and devices: a device tries a small space before a dense factorization too", () => {
  const H200 = { ...jsEngine(), device: { capacity: 1e11, speeds: { flops: 3.3e13, bytes: 4e12, call: 1e-5 } } };
  const plan = planOf(H200, 1500, 50, { apply: () => {}, flops: 2 * 1500 ** 2 });
  expect(plan.way()).toBe("direct");
  const columns = plan.probeColumns();
  expect(columns).toBeGreaterThanOrEqual(4 * plan.sizes.b);
  // a dense factorization has 1500 rows, each with several calls
  expect(plan.products(columns)).toBeLessThan(0.2 * 1500 * 2.5e-5);
  expect(plan.products(2 * columns)).toBeCloseTo(2 * plan.products(columns), 12);
});

test("expected columns, from the decrease of the logarithms of all wanted residuals", () => {
  const ends = pairing(jsEngine(), 4, undefined);
  const theta = Float64Array.from({ length: 8 }, (_, k) => k * Math.sqrt(12)); // a random vector's residual: 7
  const [start, tolerance] = [7, 1e-6];
  /** with residuals that have come such parts of the way */
  const expected = (...parts: number[]): number => {
    const residual = Float64Array.from(parts, (part) => start * (tolerance / start) ** part);
    return columnsExpected({ theta, residual, s: theta, r: theta }, ends, tolerance);
  };
  expect(expected(1 / 2, 1 / 4, 1 / 4, 0, 1, 1, 1, 1)).toBeCloseTo(8 * 4 - 8, 10);
  // each part of the way is limited to 0 … 1
  expect(expected(3, 1, -1, 0, 1, 1, 1, 1)).toBeCloseTo((8 * 4) / 2 - 8, 10);
  // pairs that a small space does not know yet are at the start
  const small = { theta: theta.subarray(6), residual: Float64Array.of(1, 1e-3), s: theta, r: theta };
  expect(columnsExpected(small, ends, 1e-3)).toBeCloseTo((2 * 4) / 1 - 2, 10);
});

test("remaining columns: pairs converge one after the other, and late copies do not count as stagnation", () => {
  const target = 1e-6;
  const one = Math.log(1e6);
  expect(distance(Float64Array.of(1, 1e-7, 1), target)).toBeCloseTo(2 * one, 10);
  // a first space of 20 columns, then ten for each
  const left = (...distances: number[]): number =>
    columnsLeft(distances.map((d, i) => ({ multiplied: i === 0 ? 0 : 10 * (i + 1), distance: d * one })));
  expect(left(4, 3)).toBeCloseTo(60, 10);
  expect(left(4, 3, 2)).toBeCloseTo(30, 10);
  expect(left(9, 5, 4, 4)).toBeCloseTo(80, 10);
  expect(left(9, 8, 7, 4, 1)).toBeCloseTo(20 / 6, 10);
  expect(left(20, 8, 2, 1, 1, 2)).toBeCloseTo((2 * 40) / 6, 10);
  // more is left than before: by the rate since the start
  expect(left(9, 3, 4, 5)).toBeCloseTo((5 * 40) / 4, 10);
  expect(left(1, 1, 1)).toBe(Number.POSITIVE_INFINITY);
});
