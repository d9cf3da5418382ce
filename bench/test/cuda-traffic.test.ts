/** What an iteration of the default asks of a device, counted on the emulated one: passes over tall matrices and products. */

import { randomStart } from "@expen/core";
import { dissolvedExpen } from "@expen/core/expen";
import { cudaEngineOn } from "@expen/engines/cuda";
import { noeig } from "@expen/experiments/paper";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { expect, test } from "vitest";
import { evaluationOn } from "../cuda/evaluation.js";
import { predicted, type Row, traffic } from "../cuda/traffic.js";

/** Large enough for sums to wait */
const [n, p] = [2 ** 15, 4];

test("a trial point: four products and eight passes; an iteration of limited-memory BFGS with one: twenty, no product more", () => {
  const { cuda, of } = traffic(emulatedCuda());
  const E = cudaEngineOn(cuda);
  const passes = (rows: Row[]): number =>
    rows.filter(({ flops }) => flops === 0).reduce((sum, { bytes }) => sum + bytes / (8 * n * p), 0);
  const products = (rows: Row[]): number =>
    rows.filter(({ flops }) => flops > 0).reduce((sum, { count }) => sum + count, 0);

  const trial = of(evaluationOn(E, n, p), 8 * n * p);
  expect([products(trial), passes(trial)]).toEqual([4, 8]);
  const speeds = { flops: 1e12, bytes: 1e12, call: 0 };
  expect(trial.reduce((sum, row) => sum + predicted(row, speeds), 0)).toBeGreaterThan((8 * 8 * n * p) / 1e12);

  // noeig far from its minimum: the multiplier is narrow and nothing is fitted to it
  const steps = dissolvedExpen(E, noeig(E, { n, p }).objective, randomStart(E, n, p, 1));
  for (let k = 0; k < 6; k++) steps.next();
  const before = E.waits.count;
  const iteration = of(() => void steps.next(), 8 * n * p);
  expect(E.waits.count - before).toBeLessThanOrEqual(8);
  const trials = iteration.find(({ name }) => name === "rowDots")!.count;
  expect(products(iteration)).toBe(4 * trials);
  // y and q with their products 6, D and X + D 7, ρ 1, ∇f with ⟨X, ∇f⟩ 2, ⟨D_i, G⟩ with ⟨G, G⟩ and ⟨D, D⟩ 4
  expect(passes(iteration)).toBe(20 + 10 * (trials - 1));
});
