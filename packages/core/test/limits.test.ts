import { noeig } from "@expen/experiments/paper";
import { jsEngine } from "@expen/linalg/engine";
import type { SolverName } from "@expen/solvers";
import { minimize } from "@expen/solvers";
import { expect, test } from "vitest";
import { stiefel } from "../src/manifolds/stiefel.js";

const E = jsEngine();
const [n, p] = [60, 4];
const { objective } = noeig(E, { n, p });
const shape = { on: stiefel(n, p), engine: E, certificate: "stationary" } as const;
const solvers: SolverName[] = ["auto", "frame", "rcg", "rtr"];

test.each(solvers)("%s: a limit of evaluations ends the run with the step it is at", async (solver) => {
  const { reason, evaluations, iterations } = await minimize(objective, {
    ...shape,
    solver,
    maxEvaluations: 25,
  });
  const calls = Math.max(evaluations.f, evaluations.grad) + evaluations.hvp;
  expect(reason).toMatchObject({ kind: "evaluations", converged: false });
  expect(reason.text).toMatch(/^stopped after \d+ evaluations, gradient norm /);
  expect(calls).toBeGreaterThanOrEqual(25);
  const more = await minimize(objective, { ...shape, solver, maxIterations: iterations + 1 });
  const allowed = Math.max(more.evaluations.f, more.evaluations.grad) + more.evaluations.hvp;
  expect(calls).toBeLessThanOrEqual(allowed);
});

test.each(solvers)("%s: relTol is a part of the gradient norm at the start, whatever the size of f", async (solver) => {
  for (const [scale, relTol] of [
    [1, 1e-4],
    [1e6, 1e-4],
    [1e-6, 1e-3],
  ] as const) {
    const scaled = {
      fg(G: Parameters<typeof objective.fg>[0], X: Parameters<typeof objective.fg>[1]) {
        const value = scale * objective.fg(G, X);
        E.combine(G, scale, G, 0, G);
        return value;
      },
    };
    let first = Number.NaN;
    const { status, stationarity } = await minimize(scaled, {
      ...shape,
      solver,
      relTol,
      observe: ({ k, gnorm }) => {
        if (k === 0) first = gnorm;
      },
    });
    expect(status).toBe("converged");
    expect(stationarity / first).toBeLessThanOrEqual(relTol);
    expect(stationarity / first).toBeGreaterThan(1e-3 * relTol);
  }
});

test("beside tol the larger of both is reached first; bad values are a sentence", async () => {
  const loose = await minimize(objective, { ...shape, tol: 1e-1, relTol: 1e-9 });
  expect(loose.reason.text).toMatch(/≤ 0\.1/);
  await expect(minimize(objective, { ...shape, relTol: -1 })).rejects.toThrow(
    "relTol is -1; it must be a number, 0 or more.",
  );
  await expect(minimize(objective, { ...shape, maxEvaluations: Number.NaN })).rejects.toThrow(
    "maxEvaluations is NaN; it must be a number, 0 or more.",
  );
  for (const [given, sentence] of [
    [{ maxIter: 5 }, "there is no option 'maxIter'; did you mean 'maxIterations'?"],
    [{ certificate: "best" }, "certificate is 'best'; it must be one of brief, second-order, stationary."],
    [{ finish: "cg" }, "finish is 'cg'; it must be 'newton'."],
    [{ optimum: "0" }, "optimum is '0'; it must be a number."],
    [{ stop: 3 }, "stop is 3; it must be a function."],
  ] as const) {
    await expect(minimize(objective, { ...shape, ...(given as object) })).rejects.toThrow(sentence);
  }
});
