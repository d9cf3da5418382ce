/** Stationary points of ExPen: what they are for f, the tube around the manifold, and a β that is too small. */

import type { Tall } from "@expen/linalg";
import { eigh, polar, svd } from "@expen/linalg/dense";
import { js as E, linear, normal, normalSmall, rayleigh, wavy } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import { paperBeta } from "../../src/expen/beta.js";
import { leastBeta, normalCurvature } from "../../src/expen/estimates.js";
import { expen } from "../../src/expen/penalty.js";
import { shiftedExpen } from "../../src/expen/shift.js";
import { euclidean } from "../../src/manifolds/euclidean-geometry.js";
import { trialRay } from "../../src/methods/trial-ray.js";
import { trustRegion } from "../../src/methods/trust-region.js";
import { randomStart } from "../../src/run/start.js";
import { gradient, hessianMatrix, multiplier, norm, riemannianSpectrum } from "./parts.js";

/** A stationary point of f on the manifold to rounding, by Newton on h with a β that is large enough */
function stationaryPoint(f: Objective): Tall {
  const h = expen(E, f, 60);
  let X: Tall = randomStart(E, f.n, f.p, 2);
  const steps = trustRegion(E, h)(trialRay(E, h, euclidean(E), X));
  for (let k = 0; k < 200; k++) {
    const next = steps.next();
    if (next.done) break;
    X = next.value.X;
  }
  const Y = E.tall(f.n, f.p);
  polar(E, f.n, f.p)(Y, X);
  return Y;
}

describe("Lemma 3.4, Lemma 3.5, Theorem 3.6: at a feasible stationary point", () => {
  test.each([
    ["plain", false],
    ["shifted", true],
  ])("spec ∇²h = spec Hess f on the tangent space ∪ {2β − 1.5(μ_i + μ_j)}, %s", (_title, shift) => {
    const f = wavy(E, 6, 3);
    const X = stationaryPoint(f);
    const G = gradient(f, X);
    const S = multiplier(X, G);
    const beta = 4.2;
    const h = shiftedExpen(E, f, beta);
    if (shift) {
      const M = normalSmall(E, 3, 3, 11);
      E.symmetrize(M);
      E.copy(h.M, M);
    }
    const tangent = riemannianSpectrum(f, X);
    if (shift) E.combine(S, -1, h.M, 1, S);
    const lambda = eigh(E, S).values;
    const expected = [...tangent];
    for (let i = 0; i < 3; i++)
      for (let j = i; j < 3; j++) expected.push(normalCurvature(beta, lambda[i]!, lambda[j]!));
    expected.sort((a, b) => a - b);
    const found = eigh(E, hessianMatrix(h, X)).values;
    expect(tangent.length).toBe(6 * 3 - 6);
    expected.forEach((value, i) => {
      expect(Math.abs(found[i]! - value)).toBeLessThan(1e-7 * (1 + Math.abs(found[17]!)));
    });
  });
});

describe("infeasible stationary points of h (F1, F2)", () => {
  const L = normal(E, 7, 3, 1);
  const { U, s: sigma, V } = svd(E, L);
  const compose = (s: number[]): Tall => {
    const [D, UD, X] = [E.small(3, 3), E.tall(7, 3), E.tall(7, 3)];
    s.forEach((value, i) => {
      D.data[i * 4] = value;
    });
    E.mul(UD, U, D);
    E.mulT(X, UD, V);
    return X;
  };
  const along = (i: number): Tall => {
    const s = [0, 0, 0];
    s[i] = 1;
    return compose(s);
  };

  test("linear f: X = U·diag(s)·Vᵀ with each s_i = ±1 or 1.5σ_i/β is stationary, and −β(1 − s²) is its curvature along u vᵀ", () => {
    const f = linear(E, L);
    const beta = 12 * norm(L);
    const h = expen(E, f, beta);
    for (const pattern of [[0], [1], [0, 2], [0, 1, 2]]) {
      const s = [-1, -1, -1];
      for (const i of pattern) s[i] = (1.5 * sigma[i]!) / beta;
      const X = compose(s);
      expect(norm(gradient(h, X))).toBeLessThan(1e-13 * beta);
      for (const i of pattern) {
        const [D, H] = [along(i), E.tall(7, 3)];
        h.hvp!(H, X, D);
        expect(E.dot(D, H)).toBeCloseTo(-beta * (1 - s[i]! ** 2), 9);
        // Theorem 3.2: a strict saddle with an eigenvalue below −β/24
        expect(E.dot(D, H)).toBeLessThan(-beta / 24);
      }
    }
  });

  test("quadratic f: s = 1.5·b·a(s)/β, curvature (1 − s²)(−β + 2.25(1 − s²)b)", () => {
    const A = normalSmall(E, 6, 6, 5);
    E.symmetrize(A);
    const { values, vectors } = eigh(E, A);
    const b = values[5]!;
    const beta = 1.2 * b;
    const h = expen(E, rayleigh(E, A, 1), beta);
    // s ≠ 0 with β·s = 1.5·b·s(3 − s²)/2, hence s² = 3 − 4β/(3b)
    const s = Math.sqrt(3 - (4 * beta) / (3 * b));
    expect(s).toBeGreaterThan(1.01);
    const [X, D, H] = [E.tall(6, 1), E.tall(6, 1), E.tall(6, 1)];
    for (let i = 0; i < 6; i++) D.data[i] = vectors.data[i * 6 + 5]!;
    E.combine(X, s, D, 0, X);
    expect(norm(gradient(h, X))).toBeLessThan(1e-12 * beta);
    h.hvp!(H, X, D);
    expect(E.dot(D, H)).toBeCloseTo((1 - s * s) * (-beta + 2.25 * (1 - s * s) * b), 9);
  });
});

test("the paper's β = ‖∇f(X0)‖/10 from a warm start X0 = X*: below 3/2·λmax(S), so that X* is a saddle of h", () => {
  // f = ½⟨X, AX⟩, A ≻ 0, at its p lowest eigenvectors: S = diag(λ), ‖∇f‖ = ‖λ‖ ≤ √p·λmax
  const A = E.small(6, 6);
  E.gram(A, normalSmall(E, 6, 6, 9));
  E.addDiagonal(A, 1);
  const f = rayleigh(E, A, 3);
  const { values, vectors } = eigh(E, A);
  const X = E.tall(6, 3);
  E.write(
    X,
    Array.from({ length: 18 }, (_, at) => vectors.data[Math.floor(at / 3) * 6 + (at % 3)]!),
  );
  const beta = paperBeta(E, f, X);
  expect(beta).toBeCloseTo(Math.hypot(values[0]!, values[1]!, values[2]!) / 10, 10);
  expect(beta).toBeLessThan(leastBeta(values[2]!));
  const h = expen(E, f, beta);
  expect(norm(gradient(h, X))).toBeLessThan(1e-12);
  const lowest = eigh(E, hessianMatrix(h, X)).values[0]!;
  expect(lowest).toBeCloseTo(normalCurvature(beta, values[2]!), 9);
  expect(lowest).toBeLessThan(0);
});
