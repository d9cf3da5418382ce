/** Confirmation that no wanted pair is missing: close values, and rounds of random vectors. */

import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { confirmation, separation } from "../src/krylov/confirmation.js";
import { pairing } from "../src/krylov/pairing.js";
import type { KrylovPairs } from "../src/krylov/projection.js";

const ritz = (theta: number[], residual: number | number[] = 1e-8): KrylovPairs => ({
  theta: Float64Array.from(theta),
  residual: Float64Array.from(theta, (_, i) => (typeof residual === "number" ? residual : residual[i]!)),
  s: new Float64Array(theta.length ** 2),
  r: new Float64Array(4),
});

test("together: b values within the tolerance of each other, the first of them wanted; blurred: not resolved by the residuals", () => {
  const low = { low: 2, high: 0 } as never;
  const both = { low: 1, high: 1 } as never;
  const delta = 1e-5; // 10^(6/2)·r for b = 2
  expect(separation(ritz([0, 1, 2, 2]), low, 2, 1e-8)).toBe("apart");
  expect(separation(ritz([0, 1, 1 + 0.9 * delta, 2]), low, 2, 1e-8)).toBe("blurred");
  expect(separation(ritz([0, 1, 1 + 1.1 * delta, 2]), low, 2, 1e-8)).toBe("apart");
  // smaller residuals
  expect(separation(ritz([0, 1, 1 + 0.9 * delta, 2], 0.8e-8), low, 2, 1e-8)).toBe("apart");
  // one that has not converged beside one that has: 10⁻⁶ is a product, and a tenth of the gap the largest residual that counts
  expect(separation(ritz([0, 1, 1.1, 2], [1e-8, 1e-8, 0.9, 1]), low, 2, 1e-8)).toBe("blurred");
  expect(separation(ritz([0, 1, 1.1, 2], [1e-8, 1e-8, 9e-3, 1]), low, 2, 1e-8)).toBe("apart");
  expect(separation(ritz([0, 1, 1.1, 2], [1e-8, 2e-6, 9e-3, 1]), low, 2, 1e-8)).toBe("blurred");
  // nearer than the tolerance of a residual, whatever else is blurred
  expect(separation(ritz([0, 1, 1 + 1.1 * delta, 2]), low, 2, 2 * delta)).toBe("together");
  expect(separation(ritz([0, 0.9 * delta, 0.9 * delta + 1e-9, 2]), low, 2, 1e-8)).toBe("together");
  expect(separation(ritz([0, 0, 0.5, 1]), low, 3, 1e-8)).toBe("apart");
  expect(separation(ritz([0, 0, 0, 1]), low, 3, 1e-8)).toBe("together");
  expect(separation(ritz([0, 1, 2, 2]), both, 2, 1e-8)).toBe("together");
  expect(separation(ritz([0, 1, 2, 3]), both, 2, 1e-8)).toBe("apart");
  // fewer than b
  expect(separation(ritz([0, 1]), low, 2, 1e-8)).toBe("together");
});

test("blurred values get half as many further columns as convergence took; then random vectors begin a round", () => {
  const [p, asked] = [3, 1e-4];
  const confirmed = confirmation(pairing(jsEngine(), p, undefined), [50, p, 2], asked);
  const near = ritz([0, 1, 1.001, 2, 3], 1e-5); // 1e-3 apart, 1e3 residuals of 1e-5 would be 1e-2
  const gnorm = 2e-5;
  expect(confirmed.needsMore(near, gnorm, 100)).toBe(true);
  expect(confirmed.judge(near, gnorm, 1, 140)).toEqual({ converged: false, random: false });
  expect(confirmed.needsMore(near, gnorm, 149)).toBe(true);
  expect(confirmed.needsMore(near, gnorm, 150)).toBe(false);
  expect(confirmed.judge(near, gnorm, 1, 150)).toEqual({ converged: true, random: true });
  expect(confirmed.isInRound).toBe(true);
  confirmed.reset();
  const sharp = ritz([0, 1, 1.001, 2, 3], 1e-7);
  expect(confirmed.needsMore(sharp, gnorm, 100)).toBe(false);
  expect(confirmed.judge(sharp, gnorm, 1, 100)).toEqual({ converged: true, random: false });
  expect(confirmed.isComplete).toBe(true);
});
