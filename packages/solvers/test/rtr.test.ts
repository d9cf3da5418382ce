import { counted, noEvaluations, randomStart } from "@expen/core";
import { brockett, noeig } from "@expen/experiments/paper";
import { jsEngine } from "@expen/linalg/engine";
import { drain, solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { type SolverName, solvers } from "../src/solvers.js";

solverContract("rtr");
solverContract("rtr", { hessian: "differences" });
solverContract("pencs");

/** gradient norms of a run down to 1e-11 of the first */
async function norms(name: SolverName): Promise<number[]> {
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 30, p: 4 });
  const seen: number[] = [];
  for (const { gnorm } of await solvers[name].create(E, f, randomStart(E, 30, 4, 3), {})) {
    seen.push(gnorm);
    if (gnorm <= 1e-11 * seen[0]! || seen.length > 100) break;
  }
  return seen;
}

describe.each(["rtr", "pencs"] as const)("%s", (name) => {
  test("converges superlinearly, with order 1.25 or more in the last step", async () => {
    const g = await norms(name);
    expect(g.length).toBeLessThan(60);
    const tail = g.filter((v) => v < 1e-2 * g[0]!);
    expect(tail.length).toBeGreaterThanOrEqual(2);
    // ‖g₊‖ ≤ ‖g‖^1.25 in the last step
    const [before, after] = g.slice(-2) as [number, number];
    expect(after / g[0]!).toBeLessThan((before / g[0]!) ** 1.25);
  });
});

describe("rtr", () => {
  test("with differences of gradients: the same minimum in about as many steps", async () => {
    const E = jsEngine();
    const { objective, optimum } = brockett(E, { n: 20, p: 3 });
    const run = (hessian: "exact" | "differences") =>
      drain(E, objective, { solver: "rtr", tol: 1e-7, hessian, optimum });
    const [exact, differences] = [await run("exact"), await run("differences")];
    expect(exact.gap).toBeLessThan(1e-12);
    expect(differences.gap).toBeLessThan(1e-12);
    expect(Math.abs(exact.iterations - differences.iterations)).toBeLessThanOrEqual(2);
    expect(exact.evaluations.hvp).toBeGreaterThan(0);
    expect(differences.evaluations.hvp).toBe(0);
  });
});

test("where f(XQ) = f(X), the singular Hessian costs no further products", async () => {
  const E = jsEngine();
  const [n, p] = [200, 10];
  const { objective: f } = noeig(E, { n, p });
  const evaluations = noEvaluations();
  const seen: number[] = [];
  for (const { gnorm } of await solvers.rtr.create(E, counted(f, evaluations), randomStart(E, n, p, 1), {})) {
    seen.push(gnorm);
    if (gnorm <= 1e-9 * seen[0]! || seen.length > 60) break;
  }
  expect(seen.at(-1)!).toBeLessThanOrEqual(1e-9 * seen[0]!);
  // with the residual as the only stopping rule: 36 steps and 1954 products
  expect(seen.length).toBeLessThan(22);
  expect(evaluations.hvp).toBeLessThan(350);
  const [before, after] = seen.slice(-2) as [number, number];
  expect(after / before).toBeLessThan(0.05);
});
