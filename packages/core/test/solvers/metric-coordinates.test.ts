/** Steps in the metric of B, where B is a matrix at hand. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { expect, test } from "vitest";
import { generalizedStiefel } from "../../src/manifolds/named.js";

test("a B with condition 100 takes at most half of the evaluations that its action alone takes, to the same optimum", async () => {
  const [n, p] = [60, 3];
  const diagonal = (value: (i: number) => number) => ({
    rows: n,
    cols: n,
    data: Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? value(k / (n + 1)) : 0)),
  });
  const E = jsEngine();
  const b = (i: number) => 100 ** (i / (n - 1));
  const [A, B] = [diagonal((i) => b(i) * (1 + ((7 * i) % n) / n)), diagonal(b)];
  const operator = E.operator(B);
  const f = (E: Engine) => {
    const { apply } = E.operator(A);
    return {
      fg(G: Tall, X: Tall) {
        apply(G, X);
        return 0.5 * E.dot(X, G);
      },
    };
  };
  const action = { rows: n, apply: (Y: Tall, X: Tall) => operator.apply(Y, X) };
  const [known, hidden] = [
    await minimize(f, { on: generalizedStiefel(B, p), engine: E }),
    await minimize(f, { on: generalizedStiefel(action, p), engine: E }),
  ];
  // eigenvalues 1, 1 + 1/n, 1 + 2/n
  expect(known.fval).toBeCloseTo(0.5 * (3 + 3 / n), 9);
  expect(hidden.fval).toBeCloseTo(known.fval, 9);
  expect(known.evaluations.grad).toBeLessThan(0.5 * hidden.evaluations.grad);
});

test("where f has nothing to do with B its coordinates are left: as many evaluations as with its action alone", async () => {
  const [n, p] = [60, 3];
  const E = jsEngine();
  /** eigenvalues from 1 to `condition`, eigenvectors that are random */
  const drawn = (seed: string, condition: number) => {
    const [M, U, V, T] = [E.small(n, n), E.small(n, n), E.small(n, n), E.small(n, n)];
    E.write(M, random(2, seed).normal);
    E.factor.svd(U, new Float64Array(n), V, M);
    const scaled = E.read(U).map((u, k) => u * condition ** ((k % n) / (n - 1)));
    E.mulT(T, E.small(n, n, scaled), U);
    E.symmetrize(T);
    return { rows: n, cols: n, data: Float64Array.from(E.read(T)) };
  };
  const [A, B] = [drawn("A", 30), drawn("B", 1e4)];
  const f = (E: Engine) => {
    const { apply } = E.operator(A);
    return {
      fg(G: Tall, X: Tall) {
        apply(G, X);
        return 0.5 * E.dot(X, G);
      },
    };
  };
  const operator = E.operator(B);
  const action = { rows: n, apply: (Y: Tall, X: Tall) => operator.apply(Y, X) };
  const start = await minimize(f, { on: generalizedStiefel(B, p), engine: E, maxIterations: 0 });
  const options = { engine: E, relTol: 1e-8, start: start.X };
  const known = await minimize(f, { on: generalizedStiefel(B, p), ...options });
  const hidden = await minimize(f, { on: generalizedStiefel(action, p), ...options });
  expect(known.status).toBe("converged");
  expect(known.evaluations.grad).toBeLessThan(1.2 * hidden.evaluations.grad);
});
