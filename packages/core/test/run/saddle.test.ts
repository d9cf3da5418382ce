/** The way down from a saddle of which only the direction is known, on the circle at X = e₁ along V = e₂. */

import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { plainPoint } from "../../src/manifolds/point.js";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";
import { leaveSaddle } from "../../src/run/saddle.js";

const E = jsEngine();

function leave(height: (x: number, y: number) => number) {
  const x = plainPoint(E.tall(2, 1, [1, 0]));
  const { X } = x;
  const F = { n: 2, p: 1, f: (Y: Tall) => height(Y.data[0]!, Y.data[1]!) };
  const on = stiefelConstraint(E, 2, 1);
  const project = (Z: Tall) => on.project(x, Z);
  const run = { E, F, X, project, certifying: { seconds: 0 }, elapsed: () => 0 };
  const left = leaveSaddle(run as never, (V) => E.write(V, [0, 1]), height(1, 0));
  return { left, X: [...X.data] };
}

test.each([1, -1])("on whichever side f falls: %i", (side) => {
  const { left, X } = leave((_x, y) => -side * y);
  expect(left).toBe(true);
  expect(side * X[1]!).toBeGreaterThan(0.1);
  expect(Math.hypot(...X)).toBeCloseTo(1, 14);
});

test("steps shrink until f falls", () => {
  const { left, X } = leave((_x, y) => y ** 2 * (Math.abs(y) - 0.01));
  expect(left).toBe(true);
  expect(Math.abs(X[1]!)).toBeLessThan(0.01);
});

test("where f falls on neither side the point stays", () => {
  expect(leave((_x, y) => y * y)).toEqual({ left: false, X: [1, 0] });
});
