import { randomStart } from "@expen/core";
import { noeig } from "@expen/experiments/paper";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import { expect, test } from "vitest";
import { growth, growthPlot, slope } from "../growth.js";
import { MATRICES, weighing } from "../memory.js";
import { profiled } from "../profile.js";

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
    sizes: { profiled: [[100, 5]], weighed: [[20_000, 10]] },
  });
  expect(measured.lines.map(({ points }) => points.length)).toEqual([3, 2]);
  for (const { points } of measured.lines) {
    for (const { seconds, matrices } of points) {
      expect(seconds).toBeGreaterThan(0);
      // X, its gradient and trial, the start: fewer could not be
      expect(matrices).toBeGreaterThan(4);
    }
  }
  const { asked, peak } = measured.memory[0]!;
  // a matrix counts once in what was asked for, and no more than that can be held; pages and the heap of JavaScript blur it
  expect(asked).toBeGreaterThan(4);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(asked + 20);
  const svg = growthPlot(measured);
  // three sizes in time and memory over n, two in time over p
  expect(svg.match(/<circle /g)).toHaveLength(3 + 3 + 2);
  expect(svg).not.toMatch(/NaN|Infinity/);
});

test.each([
  [2000, 5],
  [4000, 20],
  [100, 20],
])("a run at %i×%i asks for 26 n×p matrices at most, and 17 p×p ones", async (n, p) => {
  const E = jsEngine();
  const start = randomStart(E, n, p, 1);
  const { objective } = noeig(E, { n, p });
  const { engine, held } = weighing(E);
  const steps = await solveStiefel(engine, objective, { start, tol: 0, maxIterations: 10, certificate: "stationary" });
  while (!steps.next().done);
  const { tall, small } = held();
  expect(tall).toBeLessThanOrEqual(MATRICES * n * p);
  expect(small).toBeLessThanOrEqual(17 * p * p);
});

test("a profile has every operation with the bytes of its matrices", () => {
  const E = jsEngine();
  let time = 0;
  const { engine, shares } = profiled(E, () => time++);
  const [X, Y, Z] = [E.tall(6, 2), E.tall(6, 2), E.tall(6, 2)];
  engine.combine(Z, 1, X, 1, Y);
  engine.dots(new Float64Array(3), [X, Y, Z], 2, Z);
  engine.operator(constantTridiagonal(6, -1, 2, -1)).apply(Y, X);
  expect(Object.fromEntries(shares().map(({ operation, bytes }) => [operation, bytes / 8]))).toEqual({
    combine: 36,
    dots: 36,
    apply: 24,
  });
  expect(shares().map(({ calls, seconds }) => [calls, seconds])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});
