/** Notes, events, results and errors of `minimize(f, { on })`. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import {
  definite,
  determinant,
  generalizedEigenproblem,
  given,
  hermitianEigenproblem,
  host,
  nearestRotation,
  normals,
  small,
  smallestEigenvalues,
  solved,
  truncatedSvd,
} from "@expen/testing/manifold-cases";
import {
  complexStiefel,
  generalizedStiefel,
  grassmann,
  minimize,
  oblique,
  product,
  sphere,
  stiefel,
  type UserObjective,
} from "expen";
import { jsEngine } from "expen/engines";
import { type Expr, formula, mul, t, trace } from "expen/tape";
import type { ComplexMatrix } from "expen/types";
import { describe, expect, test } from "vitest";

describe("notes, events and results", () => {
  test("an f that changes under X → XQ is minimised on the Stiefel manifold, with the change in a note", async () => {
    const A = definite(8, "A of Brockett");
    const f = (E: Engine): UserObjective => {
      const [a, C, AX] = [E.operator(A), E.small(2, 2, [2, 0, 0, 1]), E.tall(8, 2)];
      return {
        fg(G, X) {
          a.apply(AX, X);
          E.mul(G, AX, C);
          return 0.5 * E.dot(G, X);
        },
      };
    };
    const result = await minimize(f, { on: grassmann(8, 2) });
    expect(result.notes.join()).toMatch(/f is no function on grassmann: it changes by 0\.\d+ of itself under X → XQ/);
    expect(result.notes.join()).toMatch(/take stiefel/);
    const { values } = eigh(host, small(A));
    expect(result.fval).toBeCloseTo(values[0]! + 0.5 * values[1]!, 8);
    const invariant = await solved(given(smallestEigenvalues(grassmann(12, 2))));
    expect(invariant.notes).toEqual([]);
  });

  test("every iterate of every solver is a rotation, from any start", async () => {
    const one = nearestRotation(4);
    const start = {
      rows: 4,
      cols: 4,
      data: Float64Array.from({ length: 16 }, (_, k) => (k % 5 ? 0 : k === 0 ? -1 : 1)),
    };
    for (const solver of [undefined, "rcg", "rlbfgs", "rtr"] as const) {
      const dets: number[] = [];
      const observe = (s: { X: Tall }): void => void dets.push(determinant(s.X.data, 4));
      const { X, gap } = await minimize(one.f, {
        on: one.on,
        engine: jsEngine(),
        optimum: one.optimum,
        start,
        observe,
        ...(solver && { solver }),
      });
      expect(Math.abs(gap!)).toBeLessThanOrEqual(1e-9);
      for (const det of [...dets, determinant(X.data, 4)]) expect(det).toBeCloseTo(1, 4);
    }
  });

  test("starts, states and results are views; an error names a part that a start lacks", async () => {
    const one = truncatedSvd(6, 5, 2);
    const identity = (n: number): Matrix => ({
      rows: n,
      cols: 2,
      data: Float64Array.from({ length: 2 * n }, (_, k) => (Math.floor(k / 2) === k % 2 ? 1 : 0)),
    });
    const seen: string[] = [];
    const start = { U: identity(6), V: identity(5) };
    const { X } = await minimize(one.f, {
      on: one.on,
      engine: jsEngine(),
      start,
      observe: (s) => void seen.push(Object.keys(s.X).join()),
      events: { iteration: (s) => void seen.push(Object.keys(s.X).join()) },
    });
    expect(new Set(seen)).toEqual(new Set(["U,V"]));
    expect([X.U.rows, X.V.rows, X.U.data.length]).toEqual([6, 5, 12]);
    const without = minimize(one.f, { on: one.on, start: { U: start.U } as never });
    await expect(without).rejects.toThrow("start: it has no V; give { U, V }.");
    const wrong = minimize(one.f, { on: one.on, start: { U: start.V, V: start.V } });
    await expect(wrong).rejects.toThrow("start.U: it is 5×2 but n×p is 6×2; give a matrix of that shape.");
  });

  test.each([
    [complexStiefel(6, 2), "complex-stiefel is { re, im }"],
    [product({ U: stiefel(6, 2), V: stiefel(5, 2) }), "product is { U, V }"],
  ])("a form that is declared for several matrices is refused: %o", async (on, point) => {
    const user = { fg: () => 0, quadratic: { apply: (Y: Tall) => Y.data.fill(0) } } as never;
    await expect(minimize(user, { on: on as never })).rejects.toThrow(
      `objective: it declares quadratic, which forms of one real matrix have; a point of ${point}: leave it out.`,
    );
    const written = formula(() => 0, { quadratic: { apply: () => undefined } });
    await expect(minimize(written, { on: on as never })).rejects.toThrow(/it declares quadratic/);
  });

  test("a preconditioner gets views, and the check names the part with a wrong gradient", async () => {
    const one = hermitianEigenproblem(10, 2);
    const E = jsEngine();
    const { status } = await minimize(one.f, {
      on: one.on,
      engine: E,
      precondition(Z, _X, G) {
        E.combine(Z.re, 0.5, G.re, 0, G.re);
        E.combine(Z.im, 0.5, G.im, 0, G.im);
      },
    });
    expect(status).toBe("converged");
    const wrong = (E: Engine): UserObjective<ComplexMatrix<Tall>> => {
      const { fg } = one.f(E);
      return {
        fg(G, X) {
          const value = fg!(G, X);
          E.combine(G.im, 2, G.im, 0, G.im);
          return value;
        },
      };
    };
    const named = /^the gradient does not belong to f: furthest off is entry \(\d, \d\) of im, /;
    await expect(minimize(wrong, { on: one.on })).rejects.toThrow(named);
  });

  test("a note names a part on which f does not depend, but not one whose gradient is 0 at the start only", async () => {
    const A = normals(6, 1, "a");
    const on = product({ U: sphere(6), W: product({ Z: complexStiefel(4, 2), V: sphere(3) }) });
    const tape = ({ U }: { U: Expr }) => mul(t(U), A);
    const { notes } = await minimize(formula(tape), { on });
    const said = (name: string) =>
      `f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`;
    expect(notes).toEqual([said("W.Z"), said("W.V")]);
    // ∂f/∂v = 2v₀ is 0 at the start
    const f = ({ U, v }: { U: Matrix; v: Matrix }) => U.data[0]! + v.data[0]! ** 2;
    const quiet = await minimize(
      {
        f,
        grad(G, { v }) {
          G.U.data.set([1, 0]);
          G.v.data.set([2 * v.data[0]!, 0]);
        },
      },
      {
        on: product({ U: sphere(2), v: sphere(2) }),
        engine: jsEngine(),
        start: { U: { rows: 2, cols: 1, data: [0.6, 0.8] }, v: { rows: 2, cols: 1, data: [0, 1] } } as never,
      },
    );
    expect(quiet.notes).toEqual([]);
  });

  test("a note has the distance of an infeasible start", async () => {
    const one = truncatedSvd(6, 5, 2);
    const U = { rows: 6, cols: 2, data: Float64Array.of(1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0) };
    const V = { rows: 5, cols: 2, data: Float64Array.of(2, 0, 0, 1, 0, 0, 0, 0, 0, 0) };
    const { notes } = await minimize(one.f, { on: one.on, start: { U, V } });
    expect(notes).toContain("the start was not on the manifold (‖K‖ = 3.00); the nearest feasible point was taken");
  });

  test("a formula works on every manifold whose points are single matrices", async () => {
    const A = definite(6, "A of tape");
    const f = formula((X: Expr) => trace(mul(t(X), A, X)));
    for (const on of [stiefel(6, 2), oblique(6, 2), generalizedStiefel(A, 2), sphere(6)]) {
      const { status, fval } = await minimize(f, { on });
      expect(status).toBe("converged");
      // tr XᵀBX = p on XᵀBX = I
      if (on.text.startsWith("generalized")) expect(fval).toBeCloseTo(2, 10);
    }
  });

  test.each([
    ["XᵀBX = I", given(generalizedEigenproblem(80, 6))],
    ["complex", given(hermitianEigenproblem(50, 4))],
    ["a product", given(truncatedSvd(30, 20, 4))],
  ])("the default takes no more evaluations than its parts without the metric, on %s", async (_name, { f, on }) => {
    const spent = { auto: 0, "expen-lbfgs": 0, rlbfgs: 0 };
    for (const solver of Object.keys(spent) as (keyof typeof spent)[]) {
      for (const seed of [1, 2]) {
        const run = { on, solver, seed, engine: host, check: false, certificate: "stationary" } as const;
        spent[solver] += (await minimize(f, run)).evaluations.f;
      }
    }
    expect(spent.auto).toBeLessThan(spent["expen-lbfgs"]);
    expect(spent.auto).toBeLessThan(1.05 * spent.rlbfgs);
  });

  test("an evaluation takes one product with B, in the default and in stages", async () => {
    const { f, on: _, optimum } = generalizedEigenproblem(24, 4);
    const B = host.operator(definite(24, "B", 0.2));
    for (const [solver, others] of [
      ["auto", 40],
      ["expen-lbfgs", 70],
    ] as const) {
      // biome-ignore format: pairs
      let products = 0;
      const counting = {
        rows: 24,
        apply(Y: Tall, X: Tall) {
          products++;
          B.apply(Y, X);
        },
      };
      const on = generalizedStiefel(counting, 4);
      const result = await minimize(f, { on, engine: host, solver, optimum, certificate: "stationary" });
      expect(result.gap!).toBeLessThanOrEqual(1e-9);
      // the start, the final measures and the projections of the stages need further products
      expect(products).toBeLessThanOrEqual(result.evaluations.f + others);
    }
  });

  test("an indefinite B is refused with its pivot, wrong sizes with their values", async () => {
    const B = definite(6, "B");
    const f: UserObjective = { fg: () => 0 };
    B.data[0] = -1;
    await expect(minimize(f, { on: generalizedStiefel(B, 2) })).rejects.toThrow(
      "B is not positive definite: pivot 0 of its Cholesky factorization is -1.00.",
    );
    B.data[1]! += 1;
    await expect(minimize(f, { on: generalizedStiefel(B, 2) })).rejects.toThrow(/B is not symmetric: \(1, 0\) is /);
    const flat = { rows: 6, apply: (Y: Tall) => void Y.data.fill(0) };
    await expect(minimize(f, { on: generalizedStiefel(flat, 2), engine: jsEngine() })).rejects.toThrow(
      /B is not positive definite; ⟨X, BX⟩ is 0/,
    );
    expect(() => stiefel(2, 3)).toThrow("stiefel: p = 3 is above n = 2; 3 orthonormal columns need n ≥ p.");
    expect(() => oblique(0, 3)).toThrow("oblique: n is 0; it must be a whole number, 1 or more.");
    expect(() => product({})).toThrow("product: it has no parts");
  });
});
