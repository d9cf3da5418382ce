/** Stationary points of ExPen: what they are for f, the tube around the manifold, and a β that is too small. */
import { describe, expect, test } from "vitest";
import { tallOf } from "../../src/engines/own-matrix.js";
import { expen } from "../../src/expen/penalty.js";
import { shiftedExpen } from "../../src/expen/shift.js";
import { euclidean } from "../../src/geometry/euclidean.js";
import { eigh } from "../../src/linalg/eigh.js";
import { polar } from "../../src/linalg/polar.js";
import { svd } from "../../src/linalg/svd.js";
import { noeig } from "../../src/problems/noeig.js";
import { randomStart } from "../../src/run/start.js";
import { trialRay } from "../../src/solvers/ray.js";
import { trustRegion } from "../../src/solvers/trust-region.js";
import type { Objective, Tall } from "../../src/types.js";
import { js as E, linear, near, normal, normalSmall, rayleigh, wavy } from "../functions.js";
import { gradient, infeasibility, multiplier, norm } from "./parts.js";

/** The n·p eigenvalues of a Hessian, ascending */
function spectrum(f: Objective, X: Tall): Float64Array {
  const size = f.n * f.p;
  const A = E.small(size, size);
  const [D, H] = [E.tall(f.n, f.p), E.tall(f.n, f.p)];
  for (let i = 0; i < size; i++) {
    E.fill(D, 0);
    D.data[i] = 1;
    f.hvp!(H, X, D);
    A.data.set(H.data, i * size);
  }
  E.symmetrize(A);
  return eigh(E, A).values;
}

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

describe("Theorem 3.6 (F3): at a feasible stationary point", () => {
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
    // the Riemannian Hessian, extended by 0 on the normal space and shifted away there by a large number
    const far = 1e4;
    const T = E.small(3, 3);
    const project = (Z: Tall): void => {
      E.tmul(T, X, Z);
      E.symmetrize(T);
      E.mul(Z, X, T, -1, 1);
    };
    const riemannian: Objective = {
      ...f,
      hvp(H, _X, D) {
        const P = tallOf(E, D);
        project(P);
        f.hvp!(H, X, P);
        E.mul(H, P, S, -1, 1);
        project(H);
        E.combine(P, 1, D, -1, P);
        E.combine(H, far, P, 1, H);
      },
    };
    const tangent = [...spectrum(riemannian, X)].filter((v) => v < far / 2);
    if (shift) E.combine(S, -1, h.M, 1, S);
    const lambda = eigh(E, S).values;
    const expected = [...tangent];
    for (let i = 0; i < 3; i++) for (let j = i; j < 3; j++) expected.push(2 * beta - 1.5 * (lambda[i]! + lambda[j]!));
    expected.sort((a, b) => a - b);
    const found = spectrum(h, X);
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

test("Proposition 3.9 and Lemma 3.11 on the tube ‖K‖ ≤ 1/6, for a linear f and β = β̄ = 12·M1", () => {
  const L = normal(E, 8, 3, 3);
  const f = linear(E, L);
  const M1 = norm(L);
  const beta = 12 * M1;
  const h = expen(E, f, beta);
  const [project, P] = [polar(E, 8, 3), E.tall(8, 3)];
  for (let seed = 0; seed < 300; seed++) {
    const X = near(E, 8, 3, 0.08 * ((seed % 10) / 10 + 0.05), seed);
    const k = norm(infeasibility(X));
    if (k > 1 / 6) continue;
    project(P, X);
    expect(h.f(P)).toBeLessThanOrEqual(h.f(X) - (beta / 4 - M1 / 2) * k * k + 1e-12 * beta);
    const R = gradient(f, P);
    E.mul(R, P, multiplier(P, L), -1, 1);
    expect(norm(gradient(h, X))).toBeGreaterThanOrEqual(0.5 * norm(R) + (beta / 4) * k - 1e-12 * beta);
  }
});

test("the paper's β = ‖∇f(X0)‖/10 is too small from a warm start: h falls below f* there", () => {
  const { objective } = noeig(E, { n: 40, p: 3 });
  const h = expen(E, objective, 1e-3);
  const X = near(E, 40, 3, 0);
  const Y = tallOf(E, X);
  E.combine(Y, -0.5, X, 1, Y);
  expect(h.f(Y)).toBeLessThan(h.f(X));
});
