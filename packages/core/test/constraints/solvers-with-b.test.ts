/** Every solver that works on XᵀBX = I finds the smallest generalized eigenvalues there, alone and as a part of a product. */

import type { Engine, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { generalizedEigenproblem } from "@expen/testing/manifold-cases";
import { minimize, type UserObjective } from "expen";
import { describe, expect, test } from "vitest";
import type { SolverEntry } from "../../src/contracts/solver.js";
import { product } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { worksOn } from "../../src/run/solver-fit.js";

const one = generalizedEigenproblem(12, 2);
const { on } = one.on.bind(jsEngine());
const names = Object.entries(solvers as Record<string, SolverEntry>)
  .filter(([, entry]) => worksOn(entry, on))
  .map(([name]) => name);
type Parts = { X: Tall; Q: Tall };
const takesPreconditioner = (name: string): boolean =>
  (solvers as Record<string, SolverEntry>)[name]!.options.includes("precondition");
const limits = { maxIterations: 5000, tol: 1e-5, check: false };

describe.each(names)("%s", (solver) => {
  test("on XᵀBX = I", async () => {
    const result = await minimize(one.f, { on: one.on, engine: jsEngine(), solver, ...limits } as never);
    expect(result.status, result.reason.text).toBe("converged");
    expect(result.feasibility).toBeLessThan(1e-12);
    expect(Math.abs(result.fval - one.optimum)).toBeLessThan(1e-8);
  });

  test("beside orthonormal columns", async () => {
    const both = (E: Engine): UserObjective<Parts> => {
      const { fg } = one.f(E) as { fg(G: Tall, X: Tall): number };
      const L = E.tall(4, 2, [3, 0, 0, 1, 0, 0, 0, 0]);
      return {
        fg(G, { X, Q }) {
          E.copy(G.Q, L);
          return fg(G.X, X) + E.dot(L, Q);
        },
      };
    };
    const where = product({ X: one.on, Q: stiefel(4, 2) });
    const E = jsEngine();
    /** P = I */
    const precondition = (Z: Parts, _X: Parts, G: Parts): void => {
      E.copy(Z.X, G.X);
      E.copy(Z.Q, G.Q);
    };
    for (const helped of takesPreconditioner(solver) ? [{}, { precondition }] : [{}]) {
      const result = await minimize(both, { on: where, engine: E, solver, ...limits, ...helped } as never);
      expect(result.status, result.reason.text).toBe("converged");
      expect(Math.abs(result.fval - (one.optimum - 4))).toBeLessThan(1e-8);
    }
  });
});
