/** f with kinks: the end of a run says so, and is not called converged; a smooth f that is hard is not taken for one. */

import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize, stiefel } from "expen";
import { expect, test } from "vitest";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";
import { kinkAt } from "../../src/run/kink.js";
import { randomStart } from "../../src/run/start.js";

const [n, p, E] = [12, 2, jsEngine()] as const;
const absolute = {
  fg(G: Tall, X: Tall) {
    for (let i = 0; i < n * p; i++) G.data[i] = Math.sign(X.data[i]!);
    return X.data.reduce((sum, x) => sum + Math.abs(x), 0);
  },
};

test.each(["auto", "rlbfgs", "rtr", "rcg"] as const)("‖X‖₁ given plainly: %s says what stopped it", async (solver) => {
  const { status, reason, certificate, evaluations } = await minimize(absolute, {
    on: stiefel(n, p),
    engine: E,
    solver,
    maxIterations: 1000,
  });
  expect(["iterations", "search-failed"]).toContain(status);
  expect(reason.text).toMatch(/the gradient changes by .* within 1e-7 of X: f has a kink/);
  expect(certificate.level).toBe("none");
  expect(evaluations.grad).toBeGreaterThan(3);
});

test("curvatures of 1e6 beside gradients of size 1 are no kink", () => {
  const f = {
    n,
    p,
    f: () => 0,
    fg(G: Tall, X: Tall) {
      for (let i = 0; i < n * p; i++) G.data[i] = Math.tanh(1e6 * (X.data[i]! - 0.1)) + 10 ** (i % 7) * X.data[i]!;
      return 0;
    },
  };
  for (const seed of [1, 2, 3]) {
    const X = randomStart(E, n, p, seed);
    expect(kinkAt(E, f, stiefelConstraint(E, n, p), X)).toBe("");
  }
});
