/** What a stationary point, the projection and ‖∇h‖ say: statements 3.1 to 3.12 of the paper, with constants M₁, M₂ and β̄ that are derived. */

import type { Tall } from "@expen/linalg";
import { eigh, polar, svd } from "@expen/linalg/dense";
import { js as E, linear, near, normal, rayleigh } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import { algorithm1 } from "../../src/expen/algorithm-1.js";
import {
  afterProjection,
  leastBeta,
  leastCurvature,
  leastSquaredGradient,
  normalCurvature,
  penaltyEstimates,
  saddleCurvature,
  singularValues,
  spuriousBelow,
  tubeBeta,
} from "../../src/expen/estimates.js";
import { expen } from "../../src/expen/penalty.js";
import { projectionGain, TUBE } from "../../src/expen/projection.js";
import { euclidean } from "../../src/manifolds/euclidean-geometry.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { cgRules } from "../../src/methods/cg-rules.js";
import { trialRay } from "../../src/methods/trial-ray.js";
import { minimize } from "../../src/minimize.js";
import { randomStart } from "../../src/run/start.js";
import { boundedWave } from "./constants.js";
import { gradient, hessianMatrix, infeasibility, minus, multiplier, norm, riemannianSpectrum } from "./parts.js";

const [n, p] = [6, 3];
const wave = boundedWave(n, p);
const projected = (X: Tall): Tall => {
  const P = E.tall(X.rows, X.cols);
  polar(E, X.rows, X.cols)(P, X);
  return P;
};
const riemannianGradient = (f: Objective, X: Tall): Tall => {
  const R = gradient(f, X);
  E.mul(R, X, multiplier(X, R), -1, 1);
  return R;
};
/** Points of the tube ‖K‖ ≤ 1/6, some near its edge */
const tube = Array.from({ length: 60 }, (_, i) => near(E, n, p, 0.004 * (i + 1), i)).filter(
  (X) => norm(infeasibility(X)) <= TUBE,
);

test("the tube is reached: some of the points are near its edge", () => {
  expect(tube.length).toBeGreaterThan(25);
  expect(Math.max(...tube.map((X) => norm(infeasibility(X))))).toBeGreaterThan(0.8 * TUBE);
});

// the inequalities above the constants are loose: a slightly wrong constant would pass them
test("the constants are those of the paper, and 768 for its 384", () => {
  expect(projectionGain(12, 2, 3)).toBe((12 / 4 - 2 / 2) * 9);
  expect(spuriousBelow(8, 4)).toBe(2);
  expect(saddleCurvature(48)).toBe(-2);
  expect(leastSquaredGradient(6, 1, 2, 1)).toBeCloseTo(4 + 24 - 24, 12);
  expect(afterProjection(3, 6)).toEqual({ stationarity: 6, feasibility: 2 });
  expect(leastCurvature(20, 1, 2)).toBe(10);
  expect(tubeBeta(2)).toBe(1536);
});

describe.each([
  ["β̄", wave.beta],
  ["10·β̄", 10 * wave.beta],
])("in the tube, β = %s", (_name, beta) => {
  const { f, M1 } = wave;
  const h = expen(E, f, beta);
  const g = expen(E, f, 0);

  test("(3.5), Prop. 3.9: h(𝒫(X)) ≤ h(X) − (β/4 − M₁/2)‖K‖²", () => {
    for (const X of tube) {
      const gain = projectionGain(beta, M1, norm(infeasibility(X)));
      expect(gain).toBeGreaterThan(0);
      expect(h.f(projected(X))).toBeLessThanOrEqual(h.f(X) - gain + 1e-12 * beta);
    }
  });

  test("Lemma 3.10: ‖∇h‖² ≥ ‖∇g‖² + (2/3·β² − 4βM₁)‖K‖²", () => {
    for (const X of tube) {
      const least = leastSquaredGradient(beta, M1, norm(gradient(g, X)), norm(infeasibility(X)));
      expect(norm(gradient(h, X)) ** 2).toBeGreaterThanOrEqual(least);
    }
  });

  test("Lemma 3.11: ‖∇h‖ ≥ ½‖grad f(𝒫(X))‖ + β/4·‖K‖, so that `afterProjection` bounds both", () => {
    for (const X of tube) {
      const [slope, k] = [norm(gradient(h, X)), norm(infeasibility(X))];
      const R = norm(riemannianGradient(f, projected(X)));
      expect(slope).toBeGreaterThanOrEqual(0.5 * R + (beta / 4) * k);
      const { stationarity, feasibility } = afterProjection(slope, beta);
      expect(R).toBeLessThanOrEqual(stationarity);
      expect(k).toBeLessThanOrEqual(feasibility);
    }
  });

  test("Prop. 3.12: λmin(Hess f(𝒫(X))) ≥ λmin(∇²h(X)) − ‖∇²g(X) − ∇²g(𝒫(X))‖ − 9/2·‖∇h(X)‖", () => {
    for (const X of tube.slice(0, 20)) {
      const P = projected(X);
      const [at, there] = [hessianMatrix(g, X), hessianMatrix(g, P)];
      E.combine(at, 1, at, -1, there);
      const ofH = eigh(E, hessianMatrix(h, X)).values[0]!;
      const least = leastCurvature(ofH, norm(at), norm(gradient(h, X)));
      expect(riemannianSpectrum(f, P)[0]!).toBeGreaterThanOrEqual(least);
    }
  });
});

describe("Theorem 3.1, Theorem 3.2: infeasible stationary points that are planted", () => {
  const L = normal(E, n, p, 1);
  const { U, s: sigma, V } = svd(E, L);
  const f = linear(E, L);
  const M1 = norm(L);
  /** U·diag(s)·Vᵀ */
  const planted = (s: number[]): Tall => {
    const [D, UD, X] = [E.small(p, p), E.tall(n, p), E.tall(n, p)];
    E.write(
      D,
      Array.from({ length: p * p }, (_, at) => (at % (p + 1) === 0 ? s[at / (p + 1)]! : 0)),
    );
    E.mul(UD, U, D);
    E.mulT(X, UD, V);
    return X;
  };

  // M₂ ≤ 3·(13/12)·M₁ for a linear f, so that β̄ ≤ 19.5·M₁
  test.each([1, 4])("β = %d·β̄: each is stationary, its σmin is below the bound and its curvature below −β/24", (c) => {
    const beta = c * 19.5 * M1;
    const h = expen(E, f, beta);
    for (let pattern = 1; pattern < 2 ** p; pattern++) {
      const s = sigma.slice(0, p);
      const X = planted(Array.from(s, (value, i) => (pattern & (1 << i) ? (1.5 * value) / beta : -1)));
      expect(norm(gradient(h, X))).toBeLessThan(1e-13 * beta);
      const found = singularValues(eigh(E, infeasibility(X)).values);
      expect(found.filter((value) => Math.abs(value - 1) > 1e-6).length).toBe(
        pattern.toString(2).replaceAll("0", "").length,
      );
      expect(found[0]!).toBeLessThanOrEqual(spuriousBelow(M1, beta));
      // Prop. 2.11
      expect(found[p - 1]!).toBeLessThanOrEqual(Math.max(1, (1.5 * M1) / beta) + 1e-12);
      expect(eigh(E, hessianMatrix(h, X)).values[0]!).toBeLessThanOrEqual(saddleCurvature(beta));
    }
  });

  // f = ½⟨X, AX⟩, A = diag(10, 11, …): X = 0 is stationary with ∇²h = 9/4·A − β, and A's eigenvectors with 2β − 3·λ across the manifold
  test.each([
    [8, true],
    [40, false],
  ])(
    "β = %d for multipliers 10 and 11: the run ends infeasible and is called spurious: %s",
    async (beta, isSpurious) => {
      const A = E.small(8, 8);
      E.write(
        A,
        Array.from({ length: 64 }, (_, at) => (at % 9 === 0 ? 10 + at / 9 : 0)),
      );
      const form = rayleigh(E, A, 2);
      expect(normalCurvature(beta, 11) < 0).toBe(isSpurious);
      expect(beta < leastBeta(11)).toBe(isSpurious);
      const origin = eigh(E, hessianMatrix(expen(E, form, beta), E.tall(8, 2))).values[0]!;
      expect(origin).toBeCloseTo(2.25 * 10 - beta, 8);
      const r = await minimize(form, { on: stiefel(8, 2), engine: E, solver: "expen-cg", beta, tol: 1e-6 });
      expect(r.status).toBe(isSpurious ? "spurious" : "converged");
      if (isSpurious) expect(r.reason.text).toContain("2 of 2 singular values are not 1");
      else expect(r.fval).toBeCloseTo(10.5, 8);
    },
  );
});

describe("runs with β ≥ β̄", () => {
  const { f, beta } = wave;

  test("Lemma 3.11 holds at each step of Algorithm 1", () => {
    const h = expen(E, f, beta);
    let smallest = Number.POSITIVE_INFINITY;
    for (const s of algorithm1(E, { tau: cgRules["pr+"] })(trialRay(E, h, euclidean(E), randomStart(E, n, p, 3)))) {
      const k = norm(infeasibility(s.X));
      smallest = Math.min(smallest, s.gnorm);
      if (k <= TUBE) {
        const R = norm(riemannianGradient(f, projected(s.X)));
        expect(s.gnorm).toBeGreaterThanOrEqual((0.5 * R + (beta / 4) * k) * (1 - 1e-12));
      }
      if (s.k === 1000 || s.gnorm < 1e-4) break;
    }
    expect(smallest).toBeLessThan(1e-2);
  });

  test("the certificate's bounds hold at the end of a run, and its normal curvature is positive", async () => {
    const r = await minimize(f, { on: stiefel(n, p), engine: E, solver: "expen-cg", beta, tol: 1e-5 });
    expect(r.status).toBe("converged");
    const { penalty, bound, multiplier } = r.certificate;
    expect(penalty).toEqual(penaltyEstimates(multiplier.highest, beta, undefined).penalty);
    expect(penalty!.enough).toBe(true);
    expect(r.stationarity).toBeLessThanOrEqual(bound!.stationarity);
    expect(r.feasibilityBeforeProjection).toBeLessThanOrEqual(bound!.feasibility);
    expect(bound!.feasibility).toBeLessThan(1e-5);
  });
});

test("Lemma 4.1 with 768·M₀: h on ‖K‖ = 1/12 is above h where ‖K‖ ≤ 1/24", () => {
  const { f, M0 } = wave;
  const h = expen(E, f, tubeBeta(M0));
  const scaled = (violation: number, seed: number): Tall => {
    const X = randomStart(E, n, p, seed);
    // ‖K(cX)‖ = (c² − 1)√p
    E.combine(X, Math.sqrt(1 + violation / Math.sqrt(p)), X, 0, X);
    expect(norm(infeasibility(X))).toBeCloseTo(violation, 12);
    return X;
  };
  for (let seed = 0; seed < 20; seed++) expect(h.f(scaled(1 / 24, seed))).toBeLessThan(h.f(scaled(1 / 12, seed + 100)));
  // (β/4)(1/12² − 1/24²) = M₀, no more than is needed: with 384 it is half of that
  expect((tubeBeta(M0) / 4) * (1 / 144 - 1 / 576)).toBeCloseTo(M0, 9);
  expect(norm(minus(projected(scaled(1 / 24, 1)), randomStart(E, n, p, 1)))).toBeLessThan(1e-13);
});
