import type { Objective } from "@expen/core";
import { randomStart, stiefel } from "@expen/core";
import type { Small, Tall } from "@expen/linalg";
import { eigh, extremeEigenvalues, lanczos } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { minimize, solveStiefel } from "@expen/solvers";
import { certify } from "@expen/solvers/certify";
import { js as E, linear, normal, normalSmall, rayleigh } from "@expen/testing/functions";
import { gapBoundOf } from "@expen/testing/gap-bound";
import { describe, expect, test } from "vitest";
import { nearest } from "../src/problems/nearest.js";
import { quadratic } from "../src/problems/quadratic.js";

const tolerance = 1e-6;
function symmetric(n: number, seed: number): Small {
  const A = normalSmall(E, n, n, seed);
  E.symmetrize(A);
  return A;
}
/** the eigenvectors first … first + p − 1 */
function eigenvectors(A: Small, first: number, p: number): Tall {
  const { vectors } = eigh(E, A);
  const n = A.rows;
  const X = E.tall(n, p);
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) X.data[i * p + j] = vectors.data[i * n + first + j]!;
  return X;
}
async function answer(f: Objective): Promise<Tall> {
  const steps = await solveStiefel(E, f, { tol: 1e-9 });
  for (;;) {
    const next = steps.next();
    if (next.done) return tallOf(E, next.value.X);
  }
}

test("lanczos finds the smallest eigenvalue and its vector", () => {
  const A = symmetric(40, 1);
  const { values, vectors } = eigh(E, A);
  const { lowest, vector } = lanczos(E, 40, 1, E.operator(A).apply, () => {}, { tolerance: 1e-9 });
  expect(Math.abs(lowest.value - values[0]!)).toBeLessThan(1e-7);
  expect(lowest.residual).toBeLessThan(1e-4);
  const v = E.tall(40, 1);
  vector(v);
  let overlap = 0;
  for (let i = 0; i < 40; i++) overlap += v.data[i]! * vectors.data[i * 40]!;
  expect(Math.abs(overlap)).toBeCloseTo(1, 8);
});

describe("levels", () => {
  const A = symmetric(20, 2);
  const f = rayleigh(E, A, 3);

  test("an infeasible point and a point that is not stationary prove nothing", () => {
    const X = eigenvectors(A, 0, 3);
    E.combine(X, 1.01, X, 0, X);
    expect(certify(E, f, X, { tolerance }).certificate).toMatchObject({ level: "none" });
    const { certificate } = certify(E, f, randomStart(E, 20, 3, 1), { tolerance });
    expect(certificate.level).toBe("none");
    expect(certificate.text).toMatch(/not stationary/);
  });

  test("a saddle is only stationary, with a direction of descent", () => {
    const X = eigenvectors(A, 4, 3);
    const result = certify(E, f, X, { tolerance });
    const { certificate } = result;
    expect(certificate.level).toBe("stationary");
    const { values } = eigh(E, A);
    // the lowest curvature of ½tr XᵀAX at eigenvectors: λ_0 − λ_6
    const { lowest, residual } = certificate.curvature!;
    expect(lowest).toBeGreaterThan(values[0]! - values[6]! - 1e-9);
    expect(lowest).toBeLessThan(values[0]! - values[6]! + residual + 1e-9);
    const V = E.tall(20, 3);
    result.escape!(V);
    expect(E.dot(V, V)).toBeCloseTo(1, 8);
  });

  test("a minimum of a black-box f is second order, by exact products and by differences", () => {
    const X = eigenvectors(A, 0, 3);
    expect(certify(E, f, X, { tolerance }).certificate).toMatchObject({
      level: "second-order",
      curvature: { exact: true },
    });
    const { hvp: _, ...black } = f;
    expect(certify(E, black, X, { tolerance }).certificate).toMatchObject({
      level: "second-order",
      curvature: { exact: false },
    });
    expect(certify(E, f, X, { tolerance, secondOrder: false }).certificate.level).toBe("stationary");
  });

  test("few steps prove nothing, which the text states; more give a bound with its probability", () => {
    const B = symmetric(60, 9);
    const g = rayleigh(E, B, 3);
    const X = eigenvectors(B, 0, 3);
    const few = certify(E, g, X, { tolerance, budget: 8 }).certificate;
    expect(few).toMatchObject({ level: "stationary", curvature: { steps: 8 }, evaluations: { hvp: 8 } });
    expect(few.curvature!.bound).toBeUndefined();
    expect(few.text).toMatch(
      /8 Lanczos steps found no negative curvature; one below .* would be found with probability 0\.\d+; .*certificateBudget \d+ would show/,
    );
    const some = certify(E, g, X, { tolerance, budget: 13 }).certificate;
    expect(some.level).toBe("stationary");
    expect(some.curvature!.bound).toBeLessThan(-0.1 * some.curvature!.scale);
    const asked = Number(/certificateBudget (\d+) would show/.exec(few.text)![1]);
    const enough = certify(E, g, X, { tolerance, budget: asked }).certificate;
    expect(enough).toMatchObject({ level: "second-order", curvature: { probability: 1 - 1e-6 } });
    expect(enough.curvature!.bound).toBeGreaterThan(-0.1 * enough.curvature!.scale);
    expect(enough.text).toMatch(/no curvature below -.*·scale \(scale .*\), with probability 1 − 1e-6/);
    expect(certify(E, g, X, { tolerance, budget: 0 }).certificate.text).toMatch(/leaves nothing/);
  });

  test("a declared matrix that differs from apply, or an asymmetric apply, proves nothing", () => {
    const X = eigenvectors(A, 0, 3);
    const other = smallOf(E, A);
    E.addDiagonal(other, 1);
    const { apply } = E.operator(A);
    const wrong = certify(E, { ...f, quadratic: { apply, matrix: other } }, X, { tolerance }).certificate;
    expect(wrong).toMatchObject({ level: "second-order" });
    expect(wrong.text).toMatch(/not what apply multiplies with/);
    const lowRank = { weight: 1, cols: 3, factor: () => X };
    const poor = certify(E, { ...f, quadratic: { apply, lowRank } }, X, { tolerance }).certificate;
    expect(poor).toMatchObject({ level: "second-order" });
    expect(poor.text).toMatch(/not what apply multiplies with/);
    for (const factor of [
      () => E.tall(19, 3),
      () => E.tall(20, 2),
      () => ({ rows: 20, cols: 3, data: X.data }) as never,
    ]) {
      const { text } = certify(E, { ...f, quadratic: { apply, lowRank: { ...lowRank, factor } } }, X, {
        tolerance,
      }).certificate;
      expect(text).toMatch(/lowRank\.factor\(\) gives no 20×3 matrix of this engine/);
    }
    const lopsided = smallOf(E, A);
    lopsided.data[5]! += 1;
    const form = { apply: E.operator(lopsided).apply };
    expect(certify(E, { ...f, quadratic: form }, X, { tolerance }).certificate.text).toMatch(/B is not symmetric/);
  });

  test("declared as quadratic, the lowest eigenvectors are global, others are not", () => {
    const g: Objective = { ...f, quadratic: { apply: E.operator(A).apply } };
    expect(certify(E, g, eigenvectors(A, 0, 3), { tolerance }).certificate.level).toBe("global");
    expect(certify(E, g, eigenvectors(A, 1, 3), { tolerance }).certificate.level).toBe("stationary");
  });

  test("λmin(B) ≥ λmax(S) proves a minimum of ½tr XᵀBX + tr LᵀX global, with a bound of the gap that holds", async () => {
    // planted: a linear term strong enough to make S small
    const { objective } = quadratic(E, { n: 15, p: 3, kappa: 30 });
    const { certificate, measures } = certify(E, objective, await answer(objective), { tolerance });
    expect(certificate.level).toBe("global");
    expect(gapBoundOf(certificate)).toBeLessThan(1e-5);
    for (let seed = 1; seed < 200; seed++) {
      expect(objective.f(randomStart(E, 15, 3, seed))).toBeGreaterThanOrEqual(measures.fval - gapBoundOf(certificate)!);
    }
  });

  test("convex f with S ⪯ 0 is global; with S ⪰ 0 nothing is claimed", async () => {
    const L = normal(E, 8, 2, 4);
    const f: Objective = { ...linear(E, L), convex: true };
    const X = await answer(f);
    expect(certify(E, f, X, { tolerance: 1e-5 }).certificate).toMatchObject({ level: "global" });
    E.combine(X, -1, X, 0, X);
    const worst = certify(E, f, X, { tolerance: 1e-5 });
    expect(worst.certificate.level).toBe("stationary");
    expect(worst.certificate.multiplier.lowest).toBeGreaterThan(0);
  });

  test("a closed form decides", async () => {
    const { objective, optimum } = nearest(E, { n: 10, p: 3 });
    const X = await answer(objective);
    expect(certify(E, objective, X, { tolerance, optimum }).certificate.level).toBe("global");
    const { quadratic: _q, convex: _c, ...black } = objective;
    expect(certify(E, black, X, { tolerance, optimum }).certificate).toMatchObject({
      level: "global",
      gapBound: expect.any(Number),
    });
    expect(certify(E, black, X, { tolerance, optimum: optimum! - 1 }).certificate.level).toBe("second-order");
    const above = certify(E, black, X, { tolerance, optimum: optimum! + 1 }).certificate;
    expect(above).toMatchObject({ level: "second-order" });
    expect(above.text).toMatch(/f is below the given optimum by 1\.00; is it the minimum\?/);
    // two steps show nothing of the curvature: then the closed form alone does not do
    expect(certify(E, black, X, { tolerance, optimum, budget: 3 }).certificate.level).toBe("stationary");
  });
});

test.each([130, 200])(
  "the blocked Cholesky factorization, n = %i: RᵀR = S, and what is not positive is refused",
  (n) => {
    const S = E.small(n, n);
    E.gram(S, normal(E, 2 * n, n, 1));
    const [R, D] = [E.small(n, n), E.small(n, n)];
    expect(E.factor.cholesky(R, S)).toBe(true);
    E.gram(D, R);
    E.combine(D, -1, S, 1, D);
    expect(Math.sqrt(E.dot(D, D))).toBeLessThan(1e-14 * n * Math.sqrt(E.dot(S, S)));
    for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) expect(R.data[i * n + j]).toBe(0);
    const { smallest } = extremeEigenvalues(S, 1, 0);
    E.addDiagonal(S, -smallest[0]! - 1e-6);
    expect(E.factor.cholesky(R, S)).toBe(false);
    E.addDiagonal(S, 2e-6);
    expect(E.factor.cholesky(R, S)).toBe(true);
  },
);

test("a declared lowRank with parts missing is an error before the run, in one sentence", async () => {
  const fg = (G: Tall, X: Tall): number => rayleigh(E, symmetric(20, 2), 3).fg(G, X);
  const form = { apply: E.operator(symmetric(20, 2)).apply, lowRank: { weight: Number.NaN, cols: 3 } as never };
  await expect(minimize({ fg, quadratic: form }, { on: stiefel(20, 3), engine: E })).rejects.toThrow(
    "objective: quadratic.lowRank has weight NaN, cols 3 and factor undefined; give two numbers and a function.",
  );
});

test("β is compared with 1.5·λmax(S) (Theorem 3.6), and Lemma 3.11 gives its bounds", () => {
  const A = symmetric(10, 3);
  E.addDiagonal(A, 10);
  const f = rayleigh(E, A, 2);
  const { values } = eigh(E, A);
  const X = eigenvectors(A, 0, 2);
  const small = certify(E, f, X, { tolerance, beta: 1.4 * values[1]!, penaltyGradient: 1e-7 }).certificate;
  expect(small.penalty).toMatchObject({ enough: false });
  expect(small.penalty!.needed).toBeCloseTo(1.5 * values[1]!, 10);
  const large = certify(E, f, X, { tolerance, beta: 1.6 * values[1]!, penaltyGradient: 1e-7 }).certificate;
  expect(large.penalty).toMatchObject({ enough: true });
  expect(large.penalty!.normalCurvature).toBeCloseTo(0.2 * values[1]!, 9);
  expect(large.bound).toEqual({ stationarity: 2e-7, feasibility: 4e-7 / (1.6 * values[1]!) });
});
