/** Several ranks in one process against one rank: sums, operators, solvers, certificates, decisions. */

import type { OnManifold } from "@expen/testing/engines/mpi/manifolds";
import { onThreads } from "@expen/testing/engines/mpi/on-threads";
import { type Eigenpairs, jobs, type Solved } from "@expen/testing/engines/mpi/programs";
import { ofCertificates, ofManifolds, ofSolvers } from "@expen/testing/engines/mpi/runs";
import { describe, expect, test } from "vitest";

const near = (x: readonly number[], y: readonly number[], tolerance: number): void => {
  expect(x.length).toBe(y.length);
  const scale = Math.max(...y.map(Math.abs), 1e-300);
  expect(Math.max(0, ...x.map((v, i) => Math.abs(v - y[i]!))) / scale).toBeLessThanOrEqual(tolerance);
};

test.each([2, 3, 5])("the sum has the same bits on all of %i ranks", async (size) => {
  const sums = await onThreads<number[]>(size, "sum");
  for (const sum of sums) expect(sum).toEqual(sums[0]);
  const exact = Array.from({ length: 9000 }, (_, i) =>
    Array.from({ length: size }, (_, r) => Math.sin(1 + i * (r + 1)) * 10 ** (i % 17)).reduce((a, b) => a + b, 0),
  );
  near(sums[0]!, exact, 1e-15 * size);
});

test("what one rank wishes all know after the next sum, by the clock of rank 0", async () => {
  const said = await onThreads<{ before: boolean; after: boolean; now: number; agreed: number }>(3, "agree");
  for (const s of said) expect(s).toEqual({ before: false, after: true, now: said[0]!.now, agreed: 7 });
});

test.each(["matrix", "dense", "sparse", "tridiagonal"])("another %s on one rank is one sentence on all", async (of) => {
  const said = await onThreads<string>(3, "differ", { of });
  for (const s of said) expect(s).toMatch(/a 4×1 matrix of rank 2 is not that of rank 0|an operator of rank 2 is/);
});

test.each([
  [false, /f is not the same on all ranks/],
  [true, /f at the end of rank 1 is not that of rank 0/],
])("an f that is not added up is one sentence; data over ranks: %s", async (data, sentence) => {
  for (const said of await onThreads<string>(2, "forgetful", { data })) expect(said).toMatch(sentence);
});

test("rows of other ranks", async () => {
  for (const rows of await onThreads<number[]>(3, "exchange")) expect(rows).toEqual([0, 1, 6, 7, 12, 13]);
});

test.each(["smallest", "largest", "nearest", "singular"] as const)(
  "eigenpairs by rows, the %s: those of one process, with the same signs",
  async (of) => {
    const alone = await jobs.eigen(undefined, { of });
    const ranks = await onThreads<Eigenpairs>(3, "eigen", { of });
    expect(ranks.reduce((sum, { rows }) => sum + rows, 0)).toBe(alone.rows);
    // rank 0 has all rows
    near(ranks[0]!.X, alone.X, of === "nearest" ? 1e-2 : 1e-6);
    for (const { values, residuals, level } of ranks) {
      near(values, alone.values, of === "nearest" ? 1e-7 : 1e-9);
      expect(Math.max(...residuals)).toBeLessThan(of === "nearest" ? 1e-3 : 1e-7);
      // rows that are distributed cannot be factorized, so that nothing is counted
      expect(level).toBe("residual");
    }
  },
);

describe("operators", () => {
  test.each([
    [2, 40, false],
    [3, 7, false],
    [4, 3, false],
    [3, 7, true],
    [4, 3, true],
  ])("on %i ranks as on one, n = %i; each on a device: %s", async (size, n, device) => {
    const one = jobs.operators(undefined, { n });
    for (const lists of await onThreads<number[][]>(size, "operators", { n, device })) {
      for (const [i, list] of lists.entries()) near(list, one[i]!, 1e-13);
    }
  });
});

/** In short the default in its two ways, and second order; in full every solver */
const runs: Record<string, unknown>[] = [
  { problem: "noeig", n: 61, p: 3 },
  { problem: "quadratic", n: 40, p: 3 },
  { problem: "noeig", n: 41, p: 3, solver: "rtr" },
  { problem: "noeig", n: 31, p: 2, device: true },
];
if (process.env.EXPEN_LONG) runs.push({ problem: "brockett", n: 30, p: 4 }, ...ofSolvers, ...ofCertificates);

describe("runs", () => {
  test.each(runs)("%o: three ranks find what one finds, to the same bits again", async (options) => {
    const one = await jobs.solve(undefined, options);
    const several = await onThreads<Solved>(3, "solve", options);
    const again = await onThreads<Solved>(3, "solve", options);
    expect(several).toEqual(again);
    for (const s of several) {
      expect(Math.abs(s.fval - one.fval)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(one.fval)));
      expect([s.fval, s.stationarity, s.level, s.evaluations]).toEqual([
        several[0]!.fval,
        several[0]!.stationarity,
        one.level,
        several[0]!.evaluations,
      ]);
      expect(s.feasibility).toBeLessThan(1e-13);
    }
    expect(several.reduce((sum, { rows }) => sum + rows, 0)).toBe(options.n as number);
    expect(several[0]!.X.length).toBe((options.n as number) * (options.p as number));
    // the first steps of the default, in which ranks learn what comes next, are among them
    if (options.problem === "noeig" && !options.solver && !options.maxIterations)
      expect(several[0]!.reductions).toBeLessThan(4.2);
  });

  test.each([
    [4, { problem: "noeig", n: 1500, p: 5, from: 10, to: 60 }],
    // and one every 15 steps, which compares first matrices
    [4.07, { problem: "noeig", n: 1500, p: 5, from: 10, to: 60, solver: "frame" }],
    // its f has the sum of its value before it writes the gradient
    [5.07, { problem: "dictionary", n: 200, p: 5, from: 5, to: 30 }],
  ])(
    "an evaluation of the default takes %s messages, with the multiplier and in the frame: %o",
    async (most, options) => {
      const [count] = await onThreads<number>(2, "messages", options);
      expect(count).toBeLessThanOrEqual(most);
    },
  );

  test.each([
    [4, true],
    [5, false],
  ])(
    "an f that loops over rows takes %i messages an evaluation; its parts added by sumOverRanks: %s",
    async (most, together) => {
      const [count] = await onThreads<number>(3, "messagesByRows", { together });
      expect(count).toBeLessThan(most + 0.1);
      expect(count).toBeGreaterThan(most - 0.5);
    },
  );

  const manifolds = process.env.EXPEN_LONG ? ofManifolds : ["unitary", "singular vectors", "sparse B"];
  test.each(manifolds)("on other manifolds three ranks find what one finds: %s", async (name) => {
    const one = await jobs.manifold(undefined, { name });
    const several = await onThreads<OnManifold>(3, "manifold", { name });
    for (const { fval, level, feasibility, stationarity, text } of several) {
      expect(Math.abs(fval - one.fval)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(one.fval)));
      expect([level, fval, stationarity, text]).toEqual([
        one.level,
        several[0]!.fval,
        several[0]!.stationarity,
        several[0]!.text,
      ]);
      expect(feasibility).toBeLessThan(1e-13);
    }
    // the rows of all ranks, one after the other, are those of each matrix
    for (const [i, numbers] of one.X.entries()) {
      expect(several.reduce((sum, { X }) => sum + X[i]!.length, 0)).toBe(numbers.length);
    }
    expect(several[0]!.reductions).toBeGreaterThan(1);
  });

  test("samples over ranks: the components of all samples", async () => {
    const shape = { m: 50, n: 12, p: 3 };
    const one = await jobs.data(undefined, shape);
    for (const s of await onThreads<Solved>(3, "data", shape)) {
      expect(Math.abs(s.fval - one.fval)).toBeLessThanOrEqual(1e-9 * Math.abs(one.fval));
      expect(s.rows).toBe(shape.n);
    }
  });
});
