/** Plain f on XᵀBX = I: the condition of B does not count where B has a factor. */

import type { Tall } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { generalizedStiefel, minimize, type UserObjective } from "expen";
import { expect, test } from "vitest";
import { metricPairs } from "../constraints/metric-pairs.js";
import { METRIC_OPTIONS, metricRuns } from "../constraints/metric-ratio.js";

const E = jsEngine();
const options = { engine: E, ...METRIC_OPTIONS };

test.each(metricPairs(E))("$name: at most 1.2 times the evaluations of B = I", async (pair) => {
  const { own, there } = await metricRuns(E, pair);
  expect(own.status).toBe("converged");
  expect(own.feasibility).toBeLessThan(1e-10);
  expect(own.evaluations.grad).toBeLessThanOrEqual(1.2 * there.evaluations.grad);
  expect(Math.abs(own.fval - there.fval)).toBeLessThan(1e-9 * (1 + Math.abs(there.fval)));
});

test("a B given by its action is formed where n is not large, and takes the evaluations of the matrix", async () => {
  const { B, p, f } = metricPairs(E)[0]!;
  const operator = E.operator(B);
  let products = 0;
  const action = {
    rows: operator.rows,
    apply(Y: Tall, X: Tall): void {
      if (X.cols === p) products++;
      operator.apply(Y, X);
    },
  };
  const known = await minimize(f, { on: generalizedStiefel(B, p), ...options });
  const hidden = await minimize(f, { on: generalizedStiefel(action, p), ...options, certificateBudget: 0 });
  expect(Math.abs(hidden.fval - known.fval)).toBeLessThan(1e-9 * Math.abs(known.fval));
  expect(Math.abs(hidden.evaluations.grad - known.evaluations.grad)).toBeLessThanOrEqual(5);
  // ⌈n/p⌉ to form it, and some for start, projection and result: the run itself takes none
  expect(products).toBeLessThan(Math.ceil(operator.rows / p) + 20);
});

test("a large B given by its action takes the evaluations of the matrix, and each some hundred products", async () => {
  const n = 600;
  const B = E.operator(constantTridiagonal(n, -1, 2.01, -1));
  let products = 0;
  const apply = (Y: Tall, X: Tall): void => {
    products++;
    B.apply(Y, X);
  };
  const action = { rows: n, apply };
  const f = {
    fg(G: Tall, X: Tall): number {
      E.combine(G, 1, X, 0, X);
      E.scaleRows(G, weights, X);
      return 0.5 * E.dot(G, X);
    },
  } as UserObjective<Tall>;
  const weights = E.tall(
    n,
    1,
    Float64Array.from({ length: n }, (_, i) => 1 + Math.sin(i)),
  );
  const hidden = await minimize(f, { on: generalizedStiefel(action, 1), ...options });
  const known = await minimize(f, { on: generalizedStiefel(constantTridiagonal(n, -1, 2.01, -1), 1), ...options });
  expect([hidden.status, known.status]).toEqual(["converged", "converged"]);
  expect([hidden.run.method, known.run.method]).toEqual(["frame", "frame"]);
  expect(hidden.fval).toBeLessThan(1.1 * known.fval);
  expect(hidden.evaluations.grad).toBeLessThanOrEqual(3 * known.evaluations.grad);
  // √400/2·ln(2/0.01) = 53 steps of conjugate gradients at most
  expect(products).toBeLessThan(60 * hidden.evaluations.grad + 200);
});

test("where f has nothing to do with B, H₀ = γI in the coordinates of X takes a fifth of the evaluations", async () => {
  const { own, there } = await metricRuns(E, metricPairs(E).at(-1)!);
  expect(own.status).toBe("converged");
  expect(5 * own.evaluations.grad).toBeLessThan(there.evaluations.grad);
});
