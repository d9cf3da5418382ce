/** A gradient that is ∇f along the manifold alone: Manopt's synchronization of rotations leaves constants out of f. */

import type { Matrix, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize, type SolverName, solvers } from "@expen/solvers";
import { describe, expect, test } from "vitest";
import { GradientError, requireGradient } from "../src/check/before-run.js";
import { checkDerivatives } from "../src/check/derivatives.js";
import type { Objective } from "../src/contracts/objective.js";
import { complexStiefel, oblique, product, specialOrthogonal, sphere } from "../src/manifolds/named.js";
import { stiefel } from "../src/manifolds/stiefel.js";
import { randomStart } from "../src/run/start.js";

const E = jsEngine();
const [n, p] = [20, 3];

/** f = ½⟨X, Diag(1 … n)·X⟩ and ∇f + c·X: f lacks ½c‖X‖², which is constant */
const lacking = (c: number) => ({
  f: (X: Matrix) => X.data.reduce((s, x, k) => s + 0.5 * (1 + Math.floor(k / X.cols)) * x * x, 0),
  grad: (G: Matrix, X: Matrix) => X.data.forEach((x, k) => void (G.data[k] = (1 + Math.floor(k / X.cols) + c) * x)),
});

const staysFeasible = (name: SolverName): boolean => solvers[name].feasible?.("auto") ?? false;

describe("a gradient that is right along the manifold", () => {
  const feasible = (Object.keys(solvers) as SolverName[]).filter((name) => staysFeasible(name));

  test.each(feasible)("%s runs, says so, and finds the minimum", async (solver) => {
    const { fval, notes, status } = await minimize(lacking(-50), {
      on: stiefel(n, p),
      engine: E,
      solver,
      check: "full",
    });
    expect(status).toBe("converged");
    expect(fval).toBeCloseTo(3, 9);
    expect(notes.join()).toMatch(
      /right along the manifold, not off it: .* constant there; the run stays on the manifold/,
    );
  });

  test("methods that leave the manifold refuse it", async () => {
    for (const solver of (Object.keys(solvers) as SolverName[]).filter((name) => !staysFeasible(name))) {
      const run = minimize(lacking(5), { on: stiefel(n, p), engine: E, solver });
      await expect(run, solver).rejects.toThrow(
        /leaves the manifold; the gradient is right along .* take one of auto, /,
      );
    }
    const o = { on: stiefel(n, p), engine: E } as const;
    await expect(minimize(lacking(5), { ...o, beta: 10 })).rejects.toThrow(/'auto' with a beta leaves the manifold/);
    await expect(minimize(lacking(5), { ...o, finish: "newton" })).rejects.toThrow(/finish is 'newton'/);
  });

  test("is no ground for a proof by convexity", async () => {
    const linear = {
      f: (X: Matrix) => X.data[0]!,
      grad: (G: Matrix, X: Matrix) => X.data.forEach((x, k) => void (G.data[k] = (k === 0 ? 1 : 0) - 10 * x)),
    };
    const { certificate } = await minimize({ ...linear, convex: true }, { on: stiefel(n, p), engine: E });
    expect(certificate.text).not.toMatch(/convex/);
  });

  test("rotations to be synchronized: f = −Σ tr(XᵢᵀHᵢⱼXⱼ) for the sum of ‖XᵢHᵢⱼ − Xⱼ‖², in a product", async () => {
    const H = E.tall(3, 3);
    fillNormal(H, random(1, "H"));
    const times = (A: Matrix, B: Matrix, i: number, j: number): number =>
      [0, 1, 2].reduce((s, k) => s + A.data[3 * i + k]! * B.data[3 * k + j]!, 0);
    type Pair = { U: Tall; V: Tall };
    const user = {
      f: ({ U, V }: Pair) => -U.data.reduce((s, u, k) => s + u * times(H, V, Math.floor(k / 3), k % 3), 0),
      grad(G: Pair, { U, V }: Pair) {
        for (let k = 0; k < 9; k++) {
          const [i, j] = [Math.floor(k / 3), k % 3];
          // of ½‖U‖² + ½‖V‖² too
          G.U.data[k] = U.data[k]! - times(H, V, i, j);
          G.V.data[k] = V.data[k]! - [0, 1, 2].reduce((s, l) => s + H.data[3 * l + i]! * U.data[3 * l + j]!, 0);
        }
      },
    };
    const on = product({ U: specialOrthogonal(3), V: specialOrthogonal(3) });
    const { status, notes } = await minimize(user, { on, engine: E, check: "full" });
    expect(status).toBe("converged");
    expect(notes.join()).toMatch(/right along the manifold/);
  });

  test("one small wrong entry of many is a mistake along the manifold too", () => {
    const [rows, cols] = [400, 10];
    const C = E.tall(rows, cols);
    fillNormal(C, random(4, "C"));
    for (const entry of [0, 1234, 3999]) {
      const f: Objective = {
        n: rows,
        p: cols,
        f: (X) => E.dot(C, X),
        fg(G, X) {
          E.copy(G, C);
          G.data[entry]! += 0.01;
          return E.dot(C, X);
        },
      };
      expect(() => requireGradient(E, f, randomStart(E, rows, cols, 1), 1)).toThrow(GradientError);
    }
  });

  test("one that is wrong along the manifold is refused as before", async () => {
    const { f, grad } = lacking(5);
    const wrong = {
      f,
      grad(G: Matrix, X: Matrix) {
        grad(G, X);
        G.data[7]! += 1e-2;
      },
    };
    await expect(minimize(wrong, { on: stiefel(n, p), engine: E })).rejects.toThrow(GradientError);
  });
});

describe("checkDerivatives takes a manifold as minimize does", () => {
  test("spheres, unit columns, products and complex columns", () => {
    for (const on of [sphere(128), oblique(12, 3), stiefel(12, 3)]) {
      expect(checkDerivatives(E, lacking(0), { on })).toMatchObject({ passed: true });
      const verdict = checkDerivatives(E, lacking(4), { on });
      expect(verdict).toMatchObject({ passed: false, mistake: "along" });
    }
    const { f, grad } = lacking(0);
    const parts = { f: (X: { U: Tall }) => f(X.U), grad: (G: { U: Tall }, X: { U: Tall }) => grad(G.U, X.U) };
    expect(checkDerivatives(E, parts, { on: product({ U: sphere(9) }) })).toMatchObject({ passed: true });
    type Complex = { re: Tall; im: Tall };
    const complex = {
      f: (X: Complex) => f(X.re) + f(X.im),
      grad(G: Complex, X: Complex) {
        grad(G.re, X.re);
        grad(G.im, X.im);
      },
    };
    expect(checkDerivatives(E, complex, { on: complexStiefel(9, 2) })).toMatchObject({ passed: true });
  });

  test("anything else is refused with a sentence", () => {
    expect(() => checkDerivatives(E, lacking(0), { on: "sphere" as never })).toThrow(
      /on is 'sphere'; it must say where/,
    );
  });
});
