/** ½⟨X, AXC⟩ over XᵀBX = I with both matrices declared: the closed form. */

import type { Objective } from "@expen/core";
import { generalizedStiefel, objective } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { constantTridiagonal, mapDiagonals, sparseFromTriplets, toDense } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";

import { minimize } from "@expen/solvers";
import { certify } from "@expen/solvers/certify";
import { formula, inner, mul } from "@expen/tape";

import { expect, test } from "vitest";
import { denseSolveIsCheaper } from "../src/whole-space.js";

const [n, p] = [40, 4];

/** G·Gᵀ/n + shift·I */
function definite(E: Engine, seed: number, shift: number): Matrix {
  const [G, S] = [E.small(n, n), E.small(n, n)];
  E.write(G, random(seed, "definite").normal);
  E.gram(S, G);
  const data = Float64Array.from(E.read(S), (s) => s / n);
  for (let i = 0; i < n; i++) data[i * (n + 1)]! += shift;
  return { rows: n, cols: n, data };
}

const weights = (E: Engine) =>
  E.small(
    p,
    p,
    Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? (k / (p + 1)) * 2 - 3 : 0)),
  );

test.each(["C = I", "C with both signs"])(
  "%s: no step is needed, and steps from a random start end no lower",
  async (name) => {
    const E = jsEngine();
    const [A, B] = [definite(E, 1, 0), definite(E, 2, 0.1)];
    const declared = (E: Engine, declare: boolean) => {
      const { apply } = E.operator(A);
      const C = name === "C = I" ? undefined : weights(E);
      const AX = E.tall(n, p);
      return {
        ...(declare && { quadratic: { apply: (Y: Tall, X: Tall) => apply(Y, X), ...(C && { C }) } }),
        fg(G: Tall, X: Tall) {
          apply(AX, X);
          if (C) E.mul(G, AX, C);
          else E.copy(G, AX);
          return 0.5 * E.dot(X, G);
        },
      };
    };
    const on = generalizedStiefel(B, p);
    const closed = await minimize((E) => declared(E, true), { on, engine: E, tol: 1e-9 });
    const steps = await minimize((E) => declared(E, false), { on, engine: E, tol: 1e-9, maxIterations: 5000 });
    expect(closed.iterations).toBe(0);
    expect(closed.reason.converged).toBe(true);
    expect(closed.feasibility).toBeLessThan(1e-12);
    expect(steps.iterations).toBeGreaterThan(10);
    expect(Math.abs(closed.fval - steps.fval)).toBeLessThan(1e-9 * Math.abs(steps.fval));
  },
);

test("a tolerance below roundoff ends the run at once, and gradients are relative to ‖∇f‖", async () => {
  const E = jsEngine();
  const [A, B] = [definite(E, 1, 0), definite(E, 2, 0.1)];
  const f = (E: Engine) => {
    const { apply } = E.operator(A);
    return {
      quadratic: { apply: (Y: Tall, X: Tall) => apply(Y, X) },
      fg(G: Tall, X: Tall) {
        apply(G, X);
        return 0.5 * E.dot(X, G);
      },
    };
  };
  let largest = 0;
  const observe = (s: { gnormMax: number }): void => void (largest = s.gnormMax);
  const { reason, iterations } = await minimize(f, { on: generalizedStiefel(B, p), engine: E, tol: 1e-30, observe });
  expect(reason.kind).toBe("rounding");
  expect(iterations).toBe(0);
  expect(largest).toBeGreaterThan(1e-3);
  // by itself too: 1e-6 of a gradient that is zero would never be met
  const plain = await minimize(f, { on: generalizedStiefel(B, p), engine: E });
  expect([plain.status, plain.iterations]).toEqual(["converged", 0]);
});

test("taken only if it is cheaper than steps and a closed form exists", () => {
  const E = jsEngine();
  const form = (more: object = {}) => ({ n, p, quadratic: { apply: () => {}, ...more } }) as unknown as Objective;
  expect(denseSolveIsCheaper(E, form())).toBe(true);
  expect(denseSolveIsCheaper(E, form({ L: E.tall(n, p) }))).toBe(false);
  expect(denseSolveIsCheaper(E, { n, p } as Objective)).toBe(false);
  expect(denseSolveIsCheaper(E, { ...form({ flops: 10 }), n: 200 })).toBe(false);
  expect(denseSolveIsCheaper(E, { ...form(), n: 10_000 })).toBe(false);
});

test("a formula finds the closed form on a tridiagonal and a sparse B as on the same dense one", async () => {
  const E = jsEngine();
  const A = definite(E, 1, -1);
  const B = constantTridiagonal(n, -1, 2, -1);
  const dense = { rows: n, cols: n, data: toDense(mapDiagonals(B, ({ data }) => data)) };
  const [i, j] = [0, 1].map((side) => Array.from(dense.data, (_, k) => (side ? k % n : Math.floor(k / n))));
  const sparse = sparseFromTriplets(n, n, i!, j!, dense.data);
  const f = formula((X) => inner(X, mul(A, X)));
  const runs = await Promise.all(
    [dense, B, sparse].map((B) => minimize(f, { on: generalizedStiefel(B, p), engine: E })),
  );
  for (const { run, evaluations, fval, iterations } of runs) {
    expect([run.method, iterations]).toEqual(["whole-space", 0]);
    expect(evaluations.grad).toBe(runs[0]!.evaluations.grad);
    expect(evaluations.grad).toBeLessThanOrEqual(2);
    expect(Math.abs(fval - runs[0]!.fval)).toBeLessThan(1e-10 * Math.abs(fval));
  }
});

test("B of condition 1e9: roundoff in K and in the gradient causes neither steps nor a weaker certificate", async () => {
  const E = jsEngine();
  // H·Diag(1 … 1e-9)·H with a reflection H
  const h = Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1));
  const square = h.reduce((sum, x) => sum + x * x, 0);
  const reflected = (i: number, k: number): number => (i === k ? 1 : 0) - (2 * h[i]! * h[k]!) / square;
  const B: Matrix = { rows: n, cols: n, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += 1e-9 ** (k / (n - 1)) * reflected(i, k) * reflected(j, k);
      B.data[i * n + j] = B.data[j * n + i] = sum;
    }
  }
  const A = definite(E, 1, -1);
  const { apply } = E.operator(A);
  const f = {
    quadratic: { apply: (Y: Tall, X: Tall) => apply(Y, X) },
    fg(G: Tall, X: Tall) {
      apply(G, X);
      return 0.5 * E.dot(X, G);
    },
  };
  const on = generalizedStiefel(B, p);
  const { status, iterations, certificate, feasibility } = await minimize(f, { on, engine: E, certificateBudget: 300 });
  expect(feasibility).toBeGreaterThan(2e-10);
  expect([status, iterations, certificate.level]).toEqual(["converged", 0, "second-order"]);
  // a point that is off by more than rounding is still called so
  const off = await minimize(f, { on, engine: E, maxIterations: 0 });
  const X = E.tall(
    n,
    p,
    off.X.data.map((x) => 1.001 * x),
  );
  expect(certify(E, objective(E, f, n, p), X, { on: on.bind(E).on, tolerance: 1 }).certificate.text).toMatch(
    /not feasible/,
  );
});
