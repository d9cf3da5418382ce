/** The history has f and ‖grad f‖ of the user's f at feasible points, whatever a solver minimises. */
import type { Manifold, MinimizeOptions, Objective, State } from "@expen/core";
import { generalizedStiefel, measurer, quadraticObjective, stiefel } from "@expen/core";
import { problems } from "@expen/experiments/problems";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { minimize, solvers } from "../src/index.js";

const E = jsEngine();
const [n, p] = [40, 4];

/** Runs with a history, and measures each state at its nearest feasible point independently. */
async function runs(f: Objective, on: Manifold, o: Partial<MinimizeOptions>) {
  const constraint = on.bind(E).on;
  const { measure, feasibilityOf } = measurer(E, f, undefined, constraint);
  const y = constraint.point();
  const rows: { f: number; gnorm: number; feasibility: number }[] = [];
  const observe = (s: State): void => {
    constraint.project(y, s.X);
    const { fval, stationarity } = measure(y.X);
    rows.push({ f: fval, gnorm: stationarity, feasibility: feasibilityOf(s.X) });
  };
  const options = { on, engine: E, history: true, maxIterations: 40, check: false, observe } as MinimizeOptions;
  return { result: await minimize(f, { ...options, certificate: "stationary", ...o }), rows };
}

function expectRows({ result, rows }: Awaited<ReturnType<typeof runs>>): void {
  const history = result.history!;
  expect(history.length).toBe(rows.length);
  history.forEach((row, i) => {
    const { f, gnorm, feasibility } = rows[i]!;
    expect(row.k).toBe(i);
    expect(Math.abs(row.f - f)).toBeLessThan(1e-9 * Math.abs(f));
    // a solver may update the gradient; near the solution roundoff is a part of it
    expect(Math.abs(row.gnorm - gnorm)).toBeLessThan(1e-4 * gnorm + 1e-9);
    if (row.feasibility !== undefined) expect(Math.abs(row.feasibility - feasibility)).toBeLessThan(1e-12);
    else expect(feasibility).toBeLessThan(1e-9);
    if (i === 0) return;
    expect(row.evaluations).toBeGreaterThanOrEqual(history[i - 1]!.evaluations);
    expect(row.seconds).toBeGreaterThanOrEqual(history[i - 1]!.seconds);
  });
}

describe.each(Object.keys(solvers))("%s", (solver) => {
  test("f and ‖grad f‖ at the projected points", async () => {
    for (const name of ["brockett", "pca"]) {
      const f = problems.get(name)!.make(E, { n, p }).objective;
      expectRows(await runs(f, stiefel(n, p), { solver }));
    }
  });
});

test.each(["auto", "expen-lbfgs", "rcg"])("%s in the metric of a B", async (solver) => {
  const on = generalizedStiefel(constantTridiagonal(n, 1, 4, 1), p);
  const f = quadraticObjective(E, n, p, { apply: E.operator(constantTridiagonal(n, -1, 2, -1)).apply });
  // without the form, whose eigenvectors are computed at once
  const { quadratic, ...plain } = f;
  expectRows(await runs(plain, on, { solver }));
});

test("measuring costs no evaluations of the run, and a run without history is the same", async () => {
  const f = problems.get("brockett")!.make(E, { n, p }).objective;
  const options = { on: stiefel(n, p), engine: E, solver: "expen-lbfgs", check: false } as const;
  const [kept, plain] = [await minimize(f, { ...options, history: true }), await minimize(f, options)];
  expect(plain.history).toBeUndefined();
  expect(kept.evaluations).toEqual(plain.evaluations);
  expect(kept.iterations).toBe(plain.iterations);
  expect(Array.from(kept.X.data)).toEqual(Array.from(plain.X.data));
  // the last row is the answer
  const last = kept.history!.at(-1)!;
  expect(last.f).toBe(kept.fval);
  expect(Math.abs(last.gnorm - kept.stationarity)).toBeLessThan(1e-12 + 1e-6 * kept.stationarity);
});

test("an engine by its name is open for the run", async () => {
  const f = {
    f: (X: { data: Float64Array }) => X.data[0]!,
    grad: (G: { data: Float64Array }) => G.data.fill(0).fill(1, 0, 1),
  };
  for (const engine of ["js", "wasm", "auto"]) {
    const { run, fval } = await minimize(f as never, { on: stiefel(5, 1), engine });
    if (engine !== "auto") expect(run.engine).toBe(engine);
    expect(fval).toBeCloseTo(-1, 6);
  }
  const unknown = minimize(f as never, { on: stiefel(5, 1), engine: "wasn" });
  await expect(unknown).rejects.toThrow(/^engine: 'wasn' is none of .*; did you mean 'wasm'\?$/);
});
