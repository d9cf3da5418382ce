/** `minimize(f, { on })`: known minima on every manifold, by every solver that supports it. */

import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { cases, given, hermitianEigenproblem, solved } from "@expen/testing/manifold-cases";
import type { SolverName } from "expen";
import { jsEngine } from "expen/engines";
import { solvers } from "expen/methods";
import { describe, expect, test } from "vitest";

/** solvers that support every manifold */
const everywhere: SolverName[] = ["auto", "expen", "expen-cg", "expen-lbfgs", "expen-newton", "rcg", "rlbfgs", "rtr"];
const penalties: SolverName[] = ["plam", "pencf", "pencs", "slpg", "landing"];

const scale = (optimum: number): number => 1 + Math.abs(optimum);
describe.each(cases)("%s", (_title, one) => {
  test.each([...everywhere, ...penalties])("by %s", async (solver) => {
    const run = solved(one, { solver });
    if (solver === "landing" && one.on.text.startsWith("generalized")) {
      await expect(run).rejects.toThrow(/solver 'landing' has no meaning on generalized-stiefel; take one of auto, /);
      return;
    }
    const result = await run;
    expect(`${result.status}: ${result.reason.text}; ${result.certificate.text}`).toMatch(/^converged/);
    expect(Math.abs(result.gap!)).toBeLessThanOrEqual(1e-9 * scale(one.optimum));
    expect(result.feasibility).toBeLessThanOrEqual(1e-12);
    expect(result.run.on).toBe(one.on.text);
    expect(["second-order", "global"]).toContain(result.certificate.level);
  });

  test.each([
    ["hidden numbers", () => opaque(jsEngine())],
    ["rows apart", () => split(jsEngine())],
  ] as const)("with %s", async (_title, engine) => {
    const result = await solved(one, { engine: engine() });
    expect(result.status).toBe("converged");
    expect(Math.abs(result.gap!)).toBeLessThanOrEqual(1e-9 * scale(one.optimum));
  });
});

test("every solver works on complex matrices or names those that do", async () => {
  const one = given(hermitianEigenproblem(12, 2));
  const refused: string[] = [];
  for (const solver of Object.keys(solvers) as SolverName[]) {
    await solved(one, { solver, maxIterations: 5 }).catch((error: Error) => {
      expect(error.message).toMatch(
        /^solver '.*' has no meaning on complex-stiefel; take one of auto, expen, expen-cg/,
      );
      refused.push(solver);
    });
  }
  expect(refused.sort()).toEqual(["jiang-dai", "mcm", "pcal", "trivialization", "wen-yin"]);
});
