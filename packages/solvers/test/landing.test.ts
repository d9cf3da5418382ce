import { randomStart } from "@expen/core";
import { brockett } from "@expen/experiments/paper";
import { nearest } from "@expen/experiments/problems";
import type { Engine, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { augmented } from "../src/augmented.js";
import { fullPullStep, landing, landingField, safeStep } from "../src/landing.js";

solverContract("landing");
solverContract("landing", { variant: "search" });

const [n, p] = [10, 3];
const near = (E: Engine, seed: number, distance: number): Tall => {
  const [X, Z] = [randomStart(E, n, p, seed), E.tall(n, p)];
  fillNormal(Z, random(seed));
  E.combine(X, distance, Z, 1, X);
  return X;
};
const infeasibility = (E: Engine, X: Tall): number => {
  const K = E.small(p, p);
  E.gram(K, X);
  E.addDiagonal(K, -1);
  return Math.sqrt(E.dot(K, K));
};

describe("the landing field", () => {
  const E = jsEngine();
  const { objective: f } = brockett(E, { n, p });
  const field = (X: Tall, lambda: number): Tall => {
    const F = E.tall(n, p);
    augmented(E, f, 1, landingField(E, n, p, lambda)).fg(F, X);
    return F;
  };

  test("R and N are orthogonal everywhere", () => {
    for (let seed = 1; seed < 10; seed++) {
      const X = near(E, seed, 0.2);
      const [R, N] = [field(X, 0), field(X, 1)];
      E.combine(N, -1, R, 1, N);
      const K = E.small(p, p);
      E.gram(K, X);
      E.addDiagonal(K, -1);
      const XK = E.tall(n, p);
      E.mul(XK, X, K);
      E.combine(XK, -1, N, 1, XK);
      expect(Math.sqrt(E.dot(XK, XK))).toBeLessThan(1e-14);
      expect(Math.abs(E.dot(R, N))).toBeLessThan(1e-14 * Math.sqrt(E.dot(R, R) * E.dot(N, N)) + 1e-15);
      expect(E.dot(N, N)).toBeGreaterThan(1e-3);
    }
  });

  test("on the manifold the field is half the canonical gradient G − XGᵀX", () => {
    const X = near(E, 1, 0);
    const [G, M] = [E.tall(n, p), E.small(p, p)];
    f.fg(G, X);
    E.tmul(M, G, X);
    E.mul(G, X, M, -0.5, 0.5);
    const F = field(X, 0);
    E.combine(F, -1, G, 1, F);
    expect(Math.sqrt(E.dot(F, F))).toBeLessThan(1e-15);
  });

  test.each([0.2, 0.5])("the safe steps keep ‖XᵀX − I‖ ≤ %f", (tube) => {
    for (let seed = 1; seed < 40; seed++) {
      const X = near(E, seed, (0.01 * seed) / 40);
      const d = infeasibility(E, X);
      expect(d).toBeLessThan(tube);
      for (const lambda of [0.1, 1, 10]) {
        const F = field(X, lambda);
        E.combine(F, 1, X, -safeStep(Math.sqrt(E.dot(F, F)), d, lambda, tube), F);
        expect(infeasibility(E, F)).toBeLessThanOrEqual(tube + 1e-12);
      }
      const R = field(X, 0);
      const K = E.small(p, p);
      E.gram(K, X);
      E.addDiagonal(K, -3);
      const Y = E.tall(n, p);
      E.mul(Y, X, K, -0.5);
      E.combine(Y, -fullPullStep(Math.sqrt(E.dot(R, R)), d, tube), R, 1, Y);
      expect(infeasibility(E, Y)).toBeLessThanOrEqual(tube + 1e-12);
    }
  });

  test.each([undefined, 1])("constant steps reach the minimum of an easy problem (pull %s)", (pull) => {
    const { objective, optimum } = nearest(E, { n, p });
    const steps = landing(E, objective, randomStart(E, n, p, 1), { variant: "constant", step: 0.2, pull });
    for (const { gnorm, f, k } of steps) {
      if (gnorm <= 1e-8) {
        expect(f).toBeCloseTo(optimum!, 10);
        return;
      }
      if (k > 5000) break;
    }
    expect.fail("not reached");
  });
});
