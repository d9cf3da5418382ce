/** Plain f on XᵀBX = I: the condition of B does not count where B has a factor. */

import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { generalizedStiefel, stiefel } from "../../src/manifolds/named.js";
import { minimize } from "../../src/minimize.js";
import type { UserObjective } from "../../src/objective/objective.js";
import { conditioned, metricPairs } from "./metric-pairs.js";

const E = jsEngine();
/** As many evaluations for the same digits of f, whatever the coordinates in which a gradient is measured */
const options = { engine: E, relTol: 1e-7, maxIterations: 5000, check: false };

test.each(metricPairs(E))("$name: at most 1.2 times the evaluations of B = I", async ({ B, p, f }) => {
  const on = generalizedStiefel(B, p);
  const { n } = on;
  const R = on.bind(E).on.traits.metric!.factor!;
  const { X: start } = await minimize(f, { on, engine: E, maxIterations: 0 });
  const [X, G, Z0] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  R.apply(Z0, E.tall(n, p, start.data));
  const inCoordinates = {
    fg(H: Tall, Z: Tall): number {
      R.solve(X, Z);
      const value = f.fg(G, X);
      R.solveT(H, G);
      return value;
    },
  } as UserObjective<Tall>;
  const own = await minimize(f, { on, start, ...options });
  const there = await minimize(inCoordinates, { on: stiefel(n, p), start: Z0, ...options });
  expect(own.status).toBe("converged");
  expect(own.feasibility).toBeLessThan(1e-10);
  expect(own.evaluations.grad).toBeLessThanOrEqual(1.2 * there.evaluations.grad);
  expect(Math.abs(own.fval - there.fval)).toBeLessThan(1e-9 * (1 + Math.abs(there.fval)));
});

test("a B that is given by its action alone takes at least twice the evaluations where its condition is large", async () => {
  const { B, p, f } = metricPairs(E)[0]!;
  const operator = E.operator(B);
  const action = { rows: operator.rows, apply: (Y: Tall, X: Tall) => operator.apply(Y, X) };
  const known = await minimize(f, { on: generalizedStiefel(B, p), ...options });
  const hidden = await minimize(f, { on: generalizedStiefel(action, p), ...options });
  expect(Math.abs(hidden.fval - known.fval)).toBeLessThan(1e-9 * Math.abs(known.fval));
  expect(2 * known.evaluations.grad).toBeLessThan(hidden.evaluations.grad);
});

test("where f has nothing to do with B its coordinates are left: as many evaluations as with its action alone", async () => {
  const [n, p] = [60, 3];
  const [A, B] = [E.operator(conditioned(E, n, "A", 30)), conditioned(E, n, "B", 1e4)];
  const f = {
    fg(G: Tall, X: Tall): number {
      A.apply(G, X);
      return 0.5 * E.dot(X, G);
    },
  } as UserObjective<Tall>;
  const operator = E.operator(B);
  const action = { rows: n, apply: (Y: Tall, X: Tall) => operator.apply(Y, X) };
  const { X: start } = await minimize(f, { on: generalizedStiefel(B, p), engine: E, maxIterations: 0 });
  const known = await minimize(f, { on: generalizedStiefel(B, p), ...options, start, relTol: 1e-8 });
  const hidden = await minimize(f, { on: generalizedStiefel(action, p), ...options, start, relTol: 1e-8 });
  expect(known.status).toBe("converged");
  expect(known.evaluations.grad).toBeLessThan(1.2 * hidden.evaluations.grad);
});
