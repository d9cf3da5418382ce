/** The cut through the penalty agrees with the theory of its stationary points. */
import { jsEngine } from "expen/engines";
import { describe, expect, test } from "vitest";
import { cut } from "../src/worker/slice.js";

const atOne = (s: { sigma: number }): boolean => Math.abs(s.sigma - 1) < 1e-6;

describe.each([1, 2])("p = %i", (p) => {
  const problem = { kind: "catalog", name: "brockett", options: {} } as const;
  const slice = (betas: number[], ridge = 3) =>
    cut(jsEngine(), { problem, n: 3, p, seed: 4, ridge, betas, plain: true });

  test("σ = 1 is a minimum of h exactly where β > 1.5·λmax(S)", async () => {
    const { lambda } = await slice([1]);
    expect(lambda).toBeGreaterThan(0);
    const critical = 1.5 * lambda;
    for (const factor of [0.5, 0.97, 1.03, 2, 20]) {
      const { curves } = await slice([factor * critical]);
      const h = curves.find((c) => c.kind === "expen")!;
      const one = h.stationary.find(atOne)!;
      expect(one.full, `β = ${factor} of the critical one`).toBe(true);
      expect(one.minimum).toBe(factor > 1);
    }
  });

  test("with the shift σ = 1 is a minimum for every β; the plain penalty has it for none", async () => {
    for (const beta of [0.2, 1, 10, 100]) {
      const { curves, fval } = await slice([beta]);
      const shifted = curves.find((c) => c.kind === "shifted")!.stationary.find(atOne)!;
      expect(shifted.minimum).toBe(true);
      expect(shifted.value).toBeCloseTo(fval, 10);
      expect(curves.find((c) => c.kind === "plain")!.stationary.some(atOne)).toBe(false);
    }
  });

  test.runIf(p === 1)("spurious stationary points have σ = 1.5·uᵀ∇f(A(X))·v/β", async () => {
    // for f = ½⟨X, (B + cI)X C⟩ on its eigenvector ∇f(A(X)) = λ·A(X): σ = 1.5·λ·σ(3 − σ²)/2/β, so σ² = 3 − 4β/(3λ)
    const { lambda } = await slice([1]);
    const beta = 1.2 * lambda;
    const { curves } = await slice([beta]);
    const spurious = curves
      .find((c) => c.kind === "expen")!
      .stationary.filter((s) => s.full && !atOne(s) && s.sigma > 0.01);
    expect(spurious.map((s) => s.sigma)).toEqual([expect.closeTo(Math.sqrt(3 - (4 * beta) / (3 * lambda)), 6)]);
  });
});
