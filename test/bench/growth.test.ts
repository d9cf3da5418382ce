import { expect, test } from "vitest";
import { growth, growthPlot, slope } from "../../bench/growth.js";

test("the slope of a power is its exponent", () => {
  expect(slope([1, 3, 10, 50].map((x) => [x, 7 * x ** 1.5]))).toBeCloseTo(1.5, 12);
});

test("growth counts all matrices of the run, and its plot shows each point", async () => {
  const measured = await growth({
    repeats: 1,
    plan: [
      ["n", 5, [100, 200, 400]],
      ["p", 100, [5, 10]],
    ],
  });
  expect(measured.lines.map(({ points }) => points.length)).toEqual([3, 2]);
  for (const { points } of measured.lines) {
    for (const { seconds, matrices } of points) {
      expect(seconds).toBeGreaterThan(0);
      // X, its gradient and trial, the start: fewer could not be
      expect(matrices).toBeGreaterThan(4);
    }
  }
  const svg = growthPlot(measured);
  const points = measured.lines.reduce((sum, line) => sum + line.points.length, 0);
  expect(svg.match(/<circle /g)).toHaveLength(points);
  expect(svg).not.toMatch(/NaN|Infinity/);
});
