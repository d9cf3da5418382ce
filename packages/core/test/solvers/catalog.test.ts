import { brockett } from "@expen/experiments/paper";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { solverContract } from "@expen/testing/contracts/solver";
import { cases } from "@expen/testing/manifold-cases";
import { describe, expect, test } from "vitest";
import type { SolverEntry } from "../../src/contracts/solver.js";
import { worksOn } from "../../src/run/solver-fit.js";
import { randomStart } from "../../src/run/start.js";

for (const name of ["auto", "expen", "frame", "expen-cg", "expen-lbfgs", "expen-newton"] as const) solverContract(name);

describe("the catalog of solvers", () => {
  const entries: [string, SolverEntry][] = Object.entries(solvers);

  test("names every method of the paper", () => {
    const names =
      "auto expen expen-cg expen-lbfgs expen-newton frame plam pcal pencf pencs slpg landing mcm wen-yin jiang-dai rcg rlbfgs rtr";
    expect(Object.keys(solvers)).toEqual(expect.arrayContaining(names.split(" ")));
  });

  test("the default has a meaning on every manifold: runs that name no solver are not checked for it", () => {
    for (const [name, { on }] of cases)
      expect([name, worksOn(solvers.auto, on.bind(jsEngine()).on)]).toEqual([name, true]);
  });

  test.each(entries.filter(([, { variants }]) => variants))(
    "%s refuses a variant it does not have",
    async (_name, entry) => {
      const E = jsEngine();
      const { objective: f } = brockett(E, { n: 6, p: 2 });
      const X0 = randomStart(E, 6, 2, 1);
      await expect(entry.create(E, f, X0, { variant: "other" })).rejects.toThrow(
        /variant is 'other'; it must be one of /,
      );
      for (const variant of entry.variants!)
        expect((await entry.create(E, f, X0, { variant })).next().done).toBe(false);
    },
  );
});
