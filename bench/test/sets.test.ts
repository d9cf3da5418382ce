/** The suite sets: f and its adjoints belong together, the judge counts what it says, and ours solves each problem. */

import type { Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { minimize, permutations } from "expen";
import { describe, expect, test } from "vitest";
import { cost, readAssignments } from "../sets/assignments.js";
import { adjustedRand, collections, readCollection } from "../sets/clusters.js";
import { generals } from "../sets/general.js";
import { jacobianAt, ownProblems, ownRuns, valuesAt } from "../sets/own.js";
import { factorization, indicators, isSamePartition, projection } from "../sets/problems.js";
import { type SetsResults, type SetsRun, summaries } from "../sets/results.js";
import { setsTable } from "../sets/tables.js";
import { byContender } from "../tables.js";

describe.each(generals)("$name", ({ make, isInfeasible }) => {
  test("gradients and adjoints pass the checks of minimize, and the answer is a KKT point", async () => {
    const { f, on, subjectTo, start } = make(3);
    const { status, violation, certificate } = await minimize(f, { on, subjectTo, start });
    expect(status).toBe(isInfeasible ? "infeasible" : "converged");
    if (!isInfeasible) expect(violation).toBeLessThanOrEqual(1e-6);
    expect(certificate.level === "none").toBe(isInfeasible === true);
  });
});

test.each([projection(12, 3, 1, 0.5), factorization(12, 3, 9, 1), indicators(12, 3, 1)])(
  "planted f %#",
  ({ f, n, p }) => {
    const r = random(1);
    const draw = (): Tall =>
      ({ rows: n, cols: p, data: Float64Array.from({ length: n * p }, r.normal) }) as unknown as Tall;
    const [X, D, G] = [draw(), draw(), draw()];
    f.fg(G, X);
    const at = (t: number): number => f.fg(draw(), { ...X, data: X.data.map((x, k) => x + t * D.data[k]!) } as Tall);
    const slope = G.data.reduce((s, g, k) => s + g * D.data[k]!, 0);
    expect((at(1e-4) - at(-1e-4)) / 2e-4).toBeCloseTo(slope, 6);
  },
);

test("partitions are equal up to the names of the labels", () => {
  expect(isSamePartition([0, 0, 1], [2, 2, 0])).toBe(true);
  expect(isSamePartition([0, 0, 1], [2, 1, 0])).toBe(false);
  expect(isSamePartition([0, 2, 1], [2, 2, 0])).toBe(false);
});

test("a run is best at the lowest f of feasible runs, at planted labels, or where it says infeasible", () => {
  const run = (more: Partial<SetsRun>): SetsRun => ({
    ...{
      group: "sets",
      problem: "a",
      seed: 1,
      contender: "expen",
      status: "converged",
      f: 1,
      evaluations: 10,
      violation: 0,
    },
    ...{ level: "stationary", isPlanted: null, isInfeasible: false, ...more },
  });
  const runs = [
    run({}),
    run({ contender: "slsqp", f: 0.5, violation: 1e-3, evaluations: 4 }),
    run({ contender: "trust-constr", f: 2 }),
    run({ problem: "b", isPlanted: true, f: 9, level: "global" }),
    run({ problem: "c", isInfeasible: true, status: "infeasible", violation: 1 }),
    run({ problem: "c", isInfeasible: true, contender: "slsqp", violation: 1 }),
  ];
  const results = { runs } as unknown as SetsResults;
  expect(summaries(results, "sets").map(({ best, feasible, proved }) => [best, feasible, proved])).toEqual([
    [1, 1, 0],
    [0, 0, 0],
    [0, 1, 0],
    [1, 1, 1],
    [1, 0, 0],
    [0, 0, 0],
  ]);
  const table = setsTable(results);
  expect(table.body[0]).toEqual(["a", "expen", "1 of 1", "1", "0e+0", "10", "10", "0"]);
  expect(byContender(table, ["best", "median"])).toEqual({
    head: ["problem", "expen", "slsqp", "trust-constr"],
    body: [
      ["a", "1 of 1; 10", "0 of 1; 4", "0 of 1; 10"],
      ["b", "1 of 1; 10", "", ""],
      ["c", "1 of 1; 10", "0 of 1; 10", ""],
    ],
  });
});

test.each(readAssignments())(
  "$name: costs of an instance, and ours is a permutation of nearly the least one",
  async (one) => {
    const { n, best } = one;
    const f = cost(one);
    // of the identity, by the definition
    const matrix = (at: (k: number) => number): Tall =>
      ({ rows: n, cols: n, data: Float64Array.from({ length: n * n }, (_, k) => at(k)) }) as unknown as Tall;
    const [I, G] = [matrix((k) => (k % (n + 1) ? 0 : 1)), matrix(() => 0)];
    expect(f.fg(G, I)).toBe(one.first.reduce((sum, x, k) => sum + x * one.second[k]!, 0));
    const r = random(1);
    const [X, D] = [matrix(() => r.normal()), matrix(() => r.normal())];
    const at = (t: number): number =>
      f.fg(
        matrix(() => 0),
        matrix((k) => X.data[k]! + t * D.data[k]!),
      );
    f.fg(G, X);
    // of a quadratic f central differences are exact
    const slope = G.data.reduce((sum, g, k) => sum + g * D.data[k]!, 0);
    expect(Math.abs((at(1) - at(-1)) / 2 / slope - 1)).toBeLessThan(1e-9);
    if (n > 12) return;
    const { fval } = await minimize(f, { on: permutations(n), starts: 3 });
    expect(Number.isInteger(fval)).toBe(true);
    expect(fval).toBeGreaterThanOrEqual(best);
  },
);

test.each(ownProblems)("$name: c and its Jacobian belong together, and ours solves it", async ({ name, make }) => {
  const problem = make(2);
  const x = problem.start;
  const J = jacobianAt(problem, x);
  const d = x.map((_, k) => Math.cos(k));
  const [above, below] = [1e-5, -1e-5].map((t) =>
    valuesAt(
      problem,
      x.map((v, k) => v + t * d[k]!),
    ),
  );
  for (const [i, row] of J.entries()) {
    const slope = row.reduce((sum, v, k) => sum + v * d[k]!, 0);
    expect((above![i]! - below![i]!) / 2e-5).toBeCloseTo(slope, 5);
  }
  const [run] = await ownRuns(name, problem, 2, undefined);
  expect(run!.isSolved).toBe(true);
  expect(run!.jacobians).toBeLessThanOrEqual(3 * run!.evaluations!);
});

test("the adjusted Rand index: 1 for equal partitions, the value of a table by hand, and the classes of the collections", async () => {
  expect(adjustedRand([0, 0, 1, 1], [5, 5, 2, 2])).toBe(1);
  // 6 pairs, of which 2 are together in the first, 1 in the second, none in both
  expect(adjustedRand([0, 0, 1, 1], [0, 1, 1, 2])).toBeCloseTo((0 - (2 * 1) / 6) / ((2 + 1) / 2 - (2 * 1) / 6), 12);
  for (const one of collections) {
    const { A, classes } = await readCollection(one);
    expect(new Set(classes).size).toBe(one.p);
    expect(Math.hypot(...A.data.subarray(0, A.cols))).toBeCloseTo(1, 12);
    expect(Math.min(...A.data)).toBe(0);
  }
});
