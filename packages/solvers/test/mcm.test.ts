import { plainPoint, randomStart } from "@expen/core";
import { stiefelGeometry as stiefel } from "@expen/core/methods";
import type { Matrix, Small } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { orthonormalizer } from "@expen/linalg/dense";
import { jsEngine, smallOf, tallOf } from "@expen/linalg/engine";
import { solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { correction, reflection } from "../src/mcm.js";

solverContract("mcm");
solverContract("mcm", { variant: "gr" });

const E = jsEngine();
const filled = <M extends Matrix>(Z: M, seed: number): M => {
  fillNormal(Z, random(seed));
  return Z;
};

describe("the multiplier correction", () => {
  const p = 5;
  test("minimises its model over the orthogonal matrices", () => {
    const [M, Q, R] = [filled(E.small(p, p), 1), E.small(p, p), E.tall(p, p)];
    const eta = 1.3;
    const model = (Q: Small): number => {
      const D = smallOf(E, Q);
      E.addDiagonal(D, -1);
      return E.dot(M, Q) + (eta / 2) * E.dot(D, D);
    };
    correction(E, p)(Q, M, eta);
    const orthonormalize = orthonormalizer(E, p, p);
    for (let seed = 2; seed < 100; seed++) {
      const Z = filled(E.tall(p, p), seed);
      E.combine(Z, 1, tallOf(E, Q), 10 ** (1 - (seed % 5)), Z);
      orthonormalize(R, Z);
      expect(model(smallOf(E, R))).toBeGreaterThanOrEqual(model(Q) - 1e-12);
    }
  });

  test("is the identity where Xᵀ∇f is symmetric and η large", () => {
    const [M, Q] = [filled(E.small(p, p), 3), E.small(p, p)];
    E.symmetrize(M);
    correction(E, p)(Q, M, 100);
    E.addDiagonal(Q, -1);
    expect(Math.sqrt(E.dot(Q, Q))).toBeLessThan(1e-14);
  });
});

describe("gradient reflection", () => {
  test("is feasible for every step, with the derivative (I − XXᵀ)D at 0", () => {
    const [n, p] = [9, 3];
    const X = randomStart(E, n, p, 1);
    const D = filled(E.tall(n, p), 2);
    stiefel(E, n, p).project(D, plainPoint(X));
    const [across, M, Y, K] = [tallOf(E, D), E.small(p, p), E.tall(n, p), E.small(p, p)];
    E.tmul(M, X, D);
    E.mul(across, X, M, -1, 1);
    const reflect = reflection(E, n, p);
    for (const t of [1e-4, 0.1, 1, 50]) {
      reflect(Y, X, t, D);
      E.gram(K, Y);
      E.addDiagonal(K, -1);
      expect(Math.sqrt(E.dot(K, K))).toBeLessThan(1e-14);
    }
    const t = 1e-6;
    reflect(Y, X, t, D);
    E.combine(Y, -1 / t, X, 1 / t, Y);
    E.combine(Y, -1, across, 1, Y);
    expect(Math.sqrt(E.dot(Y, Y))).toBeLessThan(1e-4);
  });
});
