/** Steps in the metric of B, where B is a matrix at hand. */
import { expect, test } from "vitest";
import { generalizedStiefel } from "../../src/constraints/manifolds.js";
import { jsEngine } from "../../src/engines/js.js";
import { minimize } from "../../src/minimize.js";
import type { Engine, Tall } from "../../src/types.js";

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
