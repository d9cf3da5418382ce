import { plainPoint, randomStart } from "@expen/core";
import type { Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine, smallOf, tallOf } from "@expen/linalg/engine";
import { solverContract } from "@expen/testing/contracts/solver";
import { like } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import { weightedStiefel } from "../src/curves/canonical.js";
import { cayley } from "../src/curves/cayley.js";

solverContract("wen-yin");
solverContract("wen-yin", { retraction: "qr" });
solverContract("jiang-dai");

const E = jsEngine();
const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
const minus = <M extends Tall | Small>(A: M, B: M): M => {
  const C = like(E, A);
  E.combine(C, 1, A, -1, B);
  return C;
};

describe.each([
  [9, 3],
  [6, 5],
  [5, 1],
  [4, 4],
])("curves on %i×%i", (n, p) => {
  const X = randomStart(E, n, p, 2);
  const G = E.tall(n, p);
  fillNormal(G, random(3));
  const curve = cayley(E, n, p);
  const gradient = (rho: number) => {
    const geometry = weightedStiefel(E, p, curve, rho);
    const D = tallOf(E, G);
    geometry.project(D, plainPoint(X));
    return { D, geometry };
  };

  test("Wen and Yin's: Y(τ) = (I + τ/2·A)⁻¹(I − τ/2·A)X with A = GXᵀ − XGᵀ, feasible for all τ", () => {
    const { D } = gradient(1 / 2);
    const [A, P, Y, Z] = [E.small(n, n), E.small(n, n), E.tall(n, p), E.tall(n, p)];
    const [x, g, right, expected] = [smallOf(E, X), smallOf(E, G), E.small(n, p), E.small(n, p)];
    E.mulT(A, g, x);
    E.mulT(A, x, g, -1, 1);
    for (const tau of [1e-3, 0.1, 1, 10, 1e3]) {
      E.combine(P, -tau / 2, A, 0, P);
      E.addDiagonal(P, 1);
      E.mul(right, P, x);
      E.combine(P, tau / 2, A, 0, P);
      E.addDiagonal(P, 1);
      E.factor.solve(expected, P, right);
      curve(Y, X, -tau, D);
      expect(norm(minus(smallOf(E, Y), expected))).toBeLessThan(1e-10);
      const K = E.small(p, p);
      E.gram(K, Y);
      E.addDiagonal(K, -1);
      expect(norm(K)).toBeLessThan(1e-10);
    }
    const t = 1e-5;
    curve(Y, X, -t, D);
    curve(Z, X, t, D);
    const derivative = minus(Y, Z);
    E.combine(derivative, 1, D, 0.5 / t, derivative);
    expect(norm(derivative)).toBeLessThan(1e-7 * (1 + norm(D)));
  });

  test.each([1 / 4, 1 / 2, 1])("Jiang and Dai's gradients, ρ = %f", (rho) => {
    const { D, geometry } = gradient(rho);
    // D_ρ = G − X(2ρGᵀX + (1 − 2ρ)XᵀG)
    const [M, Mt, B] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    E.tmul(M, X, G);
    E.tmul(Mt, G, X);
    E.combine(B, 2 * rho, Mt, 1 - 2 * rho, M);
    const expected = tallOf(E, G);
    E.mul(expected, X, B, -1, 1);
    expect(norm(minus(D, expected))).toBeLessThan(1e-13 * norm(G));
    // XᵀD_ρ is skew
    E.tmul(B, X, D);
    E.symmetrize(B);
    expect(norm(B)).toBeLessThan(1e-13 * norm(G));
    // euclideanNorm and rate, from ‖D_ρ‖²
    expect(geometry.rate(E.dot(D, D))).toBeCloseTo(E.dot(G, D), 11);
    const R = tallOf(E, G);
    E.copy(B, M);
    E.symmetrize(B);
    E.mul(R, X, B, -1, 1);
    expect(geometry.euclideanNorm(E.dot(D, D))).toBeCloseTo(norm(R), 11);
  });
});
